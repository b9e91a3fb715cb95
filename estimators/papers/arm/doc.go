// Package arm holds the experiments on adaptive resample-move (Fraccaro, Paquet and Winther): Gaussian-process
// classification (gpc.go, usps.go; evidence.go maps log Z over the covariance function), RBMs formed
// pixel by pixel (rbms.go), pictures of particles on the way (picture.go), and what absent pixels do (absent.go).
// It imports no other paper.
package arm
