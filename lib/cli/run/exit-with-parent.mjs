// Loaded before a child process of the command line: stops the child when the command ends, even
// when killed. Next.js passes these options on to its own children, whose channel does not lead to
// the command.
const KILL_AFTER_MS = 15_000
const isChildOfCommand = new URL(import.meta.url).searchParams.get('command') === String(process.ppid)

if (isChildOfCommand) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref()
  })
  process.channel?.unref()
}
