package syntax

import (
	"strings"
	"unicode/utf8"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endToken       tokenKind = iota
	wordToken                // a name or a keyword
	intToken                 // an integer
	realToken                // a number with decimal point or exponent
	imaginaryToken           // a number with suffix i
	stringToken              // a string in quotes
	operatorToken            // an operator or a bracket
)

// token is a token of the source at a byte position.
type token struct {
	kind tokenKind
	text string
	pos  int
}

// MaxSource is the largest size of a program in bytes.
const MaxSource = 1 << 20

// operators holds operators and brackets, the longest first.
var operators = []string{"%/%", ".*=", "./=", "<-", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", ".*", "./",
	".^", "+", "-", "*", "/", "%", "\\", "^", "!", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", "|",
	"~", "'"}

// lex splits a program into tokens. The contents of generated quantities are skipped.
func lex(source string) []token {
	if len(source) > MaxSource {
		lang.Fail(-1, problem.New("the program has %d bytes; at most %d are read", len(source), MaxSource))
	}
	var out []token
	depth := 0 // open braces
	for at := 0; ; {
		if at = skipSpace(source, at); at >= len(source) {
			return append(out, token{endToken, "", at})
		}
		t := token{pos: at}
		switch c := source[at]; {
		case isLetter(c):
			end := scanWhile(source, at, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' })
			t.kind, t.text = wordToken, source[at:end]
		case isDigit(c) || c == '.' && at+1 < len(source) && isDigit(source[at+1]):
			t.kind, t.text = lexNumber(source, at)
		case c == '"':
			t.kind, t.text = stringToken, lexString(source, at)
		default:
			t.kind, t.text = operatorToken, lexOperator(source, at)
		}
		out, at = append(out, t), at+len(t.text)

		// Generated quantities do not affect the density.
		switch {
		case t.is("{"):
			if n := len(out); depth == 0 && n > 2 && out[n-3].is("generated") && out[n-2].is("quantities") {
				at = skipBlock(source, t.pos)
			}
			depth++
		case t.is("}"):
			depth--
		}
	}
}

// skipBlock returns the position of the brace that closes the block whose opening brace is at open. Braces in comments
// and strings do not count.
func skipBlock(source string, open int) int {
	depth := 0
	for at := open; at < len(source); {
		switch rest := source[at:]; {
		case strings.HasPrefix(rest, "//") || rest[0] == '#':
			at = lineEnd(source, at)
			continue
		case strings.HasPrefix(rest, "/*"):
			at = commentEnd(source, at)
			continue
		case rest[0] == '"':
			at += len(lexString(source, at))
			continue
		case rest[0] == '{':
			depth++
		case rest[0] == '}':
			if depth--; depth == 0 {
				return at
			}
		}
		at++
	}
	lang.Fail(open, problem.New("this block is not closed; add }"))
	return 0
}

// lineEnd returns the end of the line that contains position at.
func lineEnd(source string, at int) int {
	return scanWhile(source, at, func(c byte) bool { return c != '\n' })
}

// commentEnd returns the end of a comment that begins with /*.
func commentEnd(source string, at int) int {
	end := strings.Index(source[at+2:], "*/")
	if end < 0 {
		lang.Fail(at, problem.New("this comment is not closed; add */"))
	}
	return at + end + 4
}

// skipSpace returns the position of the next token after white space and comments.
func skipSpace(source string, at int) int {
	for at < len(source) {
		rest := source[at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		case strings.HasPrefix(rest, "//"):
			at = lineEnd(source, at)
		case strings.HasPrefix(rest, "/*"):
			at = commentEnd(source, at)
		case strings.HasPrefix(rest, "#include"):
			lang.Fail(at, problem.New("#include is not supported; paste the text of the file here"))
		case rest[0] == '#':
			lang.Fail(at, problem.New("comments begin with //; Stan no longer accepts #"))
		default:
			return at
		}
	}
	return at
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// scanWhile returns the position of the first byte, from position at on, that does not satisfy fits.
func scanWhile(s string, at int, fits func(c byte) bool) int {
	for at < len(s) && fits(s[at]) {
		at++
	}
	return at
}

// lexNumber returns the kind and the text of the number at a position.
func lexNumber(source string, at int) (tokenKind, string) {
	digits := func(at int) int { return scanWhile(source, at, func(c byte) bool { return isDigit(c) || c == '_' }) }
	kind, end := intToken, digits(at)
	if end < len(source) && source[end] == '.' {
		kind, end = realToken, digits(end+1)
	}
	if end < len(source) && (source[end] == 'e' || source[end] == 'E') {
		exp := end + 1
		if exp < len(source) && (source[exp] == '+' || source[exp] == '-') {
			exp++
		}
		if exp < len(source) && isDigit(source[exp]) {
			kind, end = realToken, digits(exp)
		}
	}
	if end < len(source) && source[end] == 'i' && (end+1 == len(source) || !isLetter(source[end+1]) &&
		!isDigit(source[end+1]) && source[end+1] != '_') {
		return imaginaryToken, source[at : end+1]
	}
	if end < len(source) && (isLetter(source[end]) || source[end] == '_') {
		lang.Fail(end, problem.New("%s is not allowed in a number", source[end:end+1]))
	}
	return kind, source[at:end]
}

// lexString returns the text of the string at a position, with its quotes.
func lexString(source string, at int) string {
	end := scanWhile(source, at+1, func(c byte) bool { return c != '"' && c != '\n' })
	if end >= len(source) || source[end] == '\n' {
		lang.Fail(at, problem.New("this string is not closed; add \""))
	}
	return source[at : end+1]
}

// lexOperator returns the longest operator at a position.
func lexOperator(source string, at int) string {
	for _, s := range operators {
		if strings.HasPrefix(source[at:], s) {
			return s
		}
	}
	_, n := utf8.DecodeRuneInString(source[at:])
	err := problem.New("%s is not a character of the Stan language", Quoted(source[at:at+n]))
	lang.Fail(at, err)
	return ""
}

// Quoted returns s in quotes for an error message, shortened if it is long.
func Quoted(s string) string {
	const maxLength = 40
	if len(s) > maxLength {
		cut := maxLength
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "..."
	}
	return `"` + strings.ToValidUTF8(s, "�") + `"`
}
