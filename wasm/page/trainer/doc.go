// Package trainer trains an RBM in the page: the form, the training run, whose rounds are sent to a worker, and the
// copy of the run that the browser stores. It must not depend on running experiments or views.
//
// trainer.go has Trainer and its events, session.go one training and its run, training_link.go links to a training.
package trainer
