// Package sharing produces everything that the user can take away: links, short links, results as text, files, the page
// as a single file, and messages to an embedding page. It must not depend on lanes.
package sharing
