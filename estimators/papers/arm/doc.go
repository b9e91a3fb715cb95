// Package arm has the experiments on adaptive resample-move (Fraccaro, Paquet and Winther): Gaussian-process
// classification (gpc.go, usps.go; evidence.go maps log Z over the covariance function), RBMs built pixel by pixel
// (rbms.go), pictures of particles at intermediate stages (picture.go), and the effect of absent pixels (absent.go). It
// imports no other paper.
package arm
