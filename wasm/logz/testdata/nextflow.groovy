// Runs a Nextflow file as Nextflow does, as far as logz.nf goes: each task in a folder of its own, and once more in
// another one where it failed. What it does not know is an error. TestClusterNextflow runs it, for want of Nextflow.
abstract class Flow extends Script {
  Map params = [:], processes = [:]
  Closure flow

  def workflow(Closure body) { flow = body }
  def process(Map p) { processes[p.name] = p }
  def getChannel() { Channel }
  def methodMissing(String name, args) {
    if (args.size() == 1 && args[0] instanceof Closure) return [name: name, body: args[0]]
    def p = this."$name"
    p.out = new Channel(items: args[0].items.collect { new Task(p, it, params).call() })
  }
  def propertyMissing(String name) {
    if (!processes[name]) throw new MissingPropertyException(name, Flow)
    processes[name]
  }
}

class Channel {
  List items
  static Channel of(x) { new Channel(items: x as List) }
  Channel collect() { new Channel(items: [items.flatten()]) }
}

// What the body of a process knows: its directives, its input by name, and, by what path is given, its output.
class Task {
  static int n
  Map p
  def input
  Map bound
  Set unbound = []
  List<String> output = []
  int retries, processors = 1
  File publish

  Task(Map p, input, Map params) { this.p = p; this.input = input; bound = [params: params] }
  def cpus(int n) { processors = n }
  def errorStrategy(String s) { assert s == 'retry'; retries = 1 } // Nextflow's usual number
  def publishDir(Map how, String dir) { assert how == [mode: 'copy']; publish = new File(dir) }
  def getTask() { [cpus: processors] }
  def val(String name) { assert unbound.remove(name); bound[name] = input }
  def path(String name) { unbound.remove(name) ? (bound[name] = input) : output.add(name) }
  def propertyMissing(String name) {
    if (name in bound) return bound[name]
    unbound.add(name)
    name
  }

  List call() {
    def body = p.body.clone()
    body.delegate = this
    body.resolveStrategy = Closure.DELEGATE_FIRST
    String script = body()
    assert unbound.empty
    for (int attempt = 0; ; attempt++) {
      def dir = new File("work/${p.name}-${++n}")
      dir.mkdirs()
      if (input instanceof List) input.each { java.nio.file.Files.createSymbolicLink(
        new File(dir, it.name).toPath(), it.absoluteFile.toPath()) }
      def status = new ProcessBuilder('bash', '-uec', script).directory(dir).inheritIO().start().waitFor()
      def made = output.collectMany { java.nio.file.Files.newDirectoryStream(dir.toPath(), it).collect { it.toFile() } }
      if (status == 0 && made) {
        if (publish) made.each { new File(publish, it.name).bytes = it.bytes }
        return made
      }
      if (attempt == retries) throw new RuntimeException("process ${p.name} ended with status $status and made $made")
    }
  }
}

def how = new org.codehaus.groovy.control.CompilerConfiguration(scriptBaseClass: Flow.name)
def file = new GroovyShell(getClass().classLoader, new Binding(), how).parse(new File(args[0]))
file.run()
file.flow()
