// Package readings has samples of other programs read and judged by their reader (estimators/external/show), with the messages
// of package order. It must not know the experiment.
package readings
