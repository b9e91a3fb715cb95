// Package imports handles samples from other programs: it sends the files to the reader of external samples
// (estimators/external/show, in a worker of its own) with the messages of core/workerapi, and keeps its reports. It
// must not depend on the experiment.
package imports
