package main

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// commentWord is one word of a comment.
var commentWord = regexp.MustCompile(`[a-z][a-z']*`)

// pronouns point at a noun that the reader has to look for.
var pronouns = strings.Fields(`it its itself that this these those which who whose whom what they them their one ones
	such same other others each`)

// TestPlainComments: in comments of 14 words or more less than 22 % are pronouns. Repeat the noun.
func TestPlainComments(t *testing.T) {
	for _, name := range sources(t) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path.Join(root, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range file.Comments {
			if words, share := pronounShare(comment.Text()); words >= 14 && share >= .22 {
				t.Errorf("%s:%d: %.0f %% of the words are pronouns, repeat the noun: %s", name,
					files.Position(comment.Pos()).Line, 100*share, strings.Join(strings.Fields(comment.Text()), " "))
			}
		}
	}
}

// pronounShare counts the words of a comment, and which part of the words are pronouns.
func pronounShare(text string) (words int, share float64) {
	all := commentWord.FindAllString(strings.ToLower(text), -1)
	found := 0
	for _, w := range all {
		for _, p := range pronouns {
			if w == p {
				found++
			}
		}
	}
	return len(all), float64(found) / float64(max(len(all), 1))
}

// TestPronounShare: a sentence that has to be read twice is found, and its plain form is not.
func TestPronounShare(t *testing.T) {
	for text, riddles := range map[string]bool{
		"companies lists the methods of an experiment by their runs: those that read the same one with the same " +
			"parameters share it.": true,
		"groupByRun groups the methods of an experiment: methods that read the same run with the same parameters " +
			"share a run.": false,
	} {
		if words, share := pronounShare(text); words < 14 || share >= .22 != riddles {
			t.Errorf("%d words, %.0f %% pronouns: %s", words, 100*share, text)
		}
	}
}
