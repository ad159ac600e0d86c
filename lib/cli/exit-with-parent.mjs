// Loaded before a child process of the command line: when the command is gone, also when it was killed, the child stops.
const KILL_AFTER_MS = 15_000

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref()
})
process.channel?.unref()
