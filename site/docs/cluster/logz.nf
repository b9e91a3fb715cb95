// nextflow run logz.nf
params.n = 20                                                    // CHANGE: parts
params.run = '-model rbm-pcd-500 -method ais -replicates 40'     // CHANGE: what logz run takes

process part {
  cpus 2                                                         // CHANGE
  errorStrategy 'retry'
  input:
  val k
  output:
  path '*.jsonl'
  script:
  "logz part $k/$params.n -out ./ -workers $task.cpus $params.run"
}

process result {
  publishDir '.', mode: 'copy'
  input:
  path parts
  output:
  path 'result.txt'
  script:
  'logz join . > result.txt'
}

workflow {
  part(channel.of(1..params.n))
  result(part.out.collect())
}
