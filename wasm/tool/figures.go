package main

import (
	"fmt"
	"html"
	"path"
	"regexp"
	"strings"
)

// A paragraph of Markdown that is the picture of an experiment becomes a figure, with what the page and the report of
// the experiment say of it.
var (
	figureMark  = regexp.MustCompile(`<p><img src="\.\./experiments/([^"/]+)\.(svg|png)" alt="[^"]*"></p>`)
	figureImage = regexp.MustCompile(`<figure[^>]*>(<img )src="[^"]*"( alt="[^"]*">)<figcaption>([^<]*)</figcaption>`)
	figureLive  = regexp.MustCompile(`<p class="live">(<a class="button" href="[^"]*">[^<]*</a>)</p>`)
)

// figures puts experiments into the page: the committed picture, how many findings agree, and a link that runs it.
func figures(body string, files map[string][]byte) (string, error) {
	var problem error
	body = figureMark.ReplaceAllStringFunc(body, func(mark string) string {
		m := figureMark.FindStringSubmatch(mark)
		name := path.Join("experiments", m[1])
		page, report := string(files[name+".html"]), strings.Split(string(files[name+".txt"]), "\n\n")
		image, live := figureImage.FindStringSubmatch(page), figureLive.FindStringSubmatch(page)
		if files[name+"."+m[2]] == nil || image == nil || live == nil || len(report) < 2 {
			problem = fmt.Errorf("%s is no experiment with a picture, a report and a link to run", name)
			return mark
		}
		made, _, _ := strings.Cut(image[3], ", ")
		if _, lacking, ok := strings.Cut(image[3], " Not complete"); ok {
			made += ". Not complete" + strings.TrimSuffix(lacking, ".")
		}
		count := html.EscapeString(strings.Join(strings.Fields(report[1]), " "))
		return fmt.Sprintf(`<figure class="ours"><div class="across" tabindex="0">%ssrc="../%s.%s"%s</div>`+
			`<figcaption><strong>%s</strong> %s.</figcaption><p class="live">%s `+
			`<a href="../%s.html">Findings and numbers</a></p></figure>`,
			image[1], name, m[2], image[2], count, made, live[1], name)
	})
	return body, problem
}
