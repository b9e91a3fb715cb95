package main

import (
	"fmt"
	"html"
	"path"
	"regexp"
	"strings"
)

// Patterns of the parts of an experiment's page (template estimators/papers/figure.html) that figure copies.
var (
	figureImage = regexp.MustCompile(`<figure[^>]*>(<img )src="[^"]*"( alt="[^"]*">)<figcaption>([^<]*)</figcaption>`)
	figureLive  = regexp.MustCompile(`<p class="live">(<a class="button" href="[^"]*">[^<]*</a>)</p>`)
)

// figure returns the HTML of the figure of an experiment, given the file name of its picture in site/experiments: the
// committed picture, the number of findings that agree with the paper, and a link that runs the experiment.
func figure(picture string, files map[string][]byte) (string, error) {
	extension := path.Ext(picture)
	name := path.Join("experiments", strings.TrimSuffix(picture, extension))
	page, report := string(files[name+".html"]), strings.Split(string(files[name+".txt"]), "\n\n")
	image, live := figureImage.FindStringSubmatch(page), figureLive.FindStringSubmatch(page)
	if files[name+extension] == nil || image == nil || live == nil || len(report) < 2 {
		return "", fmt.Errorf("%s is no experiment with a picture, a report and a link to run", name)
	}
	caption, _, _ := strings.Cut(image[3], ", ")
	if _, missing, ok := strings.Cut(image[3], " Not complete"); ok {
		caption += ". Not complete" + strings.TrimSuffix(missing, ".")
	}
	count := html.EscapeString(strings.Join(strings.Fields(report[1]), " "))
	return fmt.Sprintf(`<figure class="ours"><div class="across" tabindex="0">%ssrc="../%s%s"%s</div>`+
		`<figcaption><strong>%s</strong> %s.</figcaption><p class="live">%s `+
		`<a href="../%s.html">Findings and numbers</a></p></figure>`,
		image[1], name, extension, image[2], count, caption, live[1], name), nil
}
