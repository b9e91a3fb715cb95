#!/bin/sh
# sh parallel.sh runs parts on machines that share this folder, and joins them.
n=20                                                  # CHANGE: parts
run='-model rbm-pcd-500 -method ais -replicates 40'   # CHANGE: what logz run takes; replicates: a multiple of the parts
machines=1/node1,1/node2,1/node3                      # CHANGE: one part at a time on each, which takes all processors
parallel --sshlogin $machines --workdir . --retries 3 "logz part {}/$n -out parts/ $run" ::: $(seq $n) &&
  logz join parts
