// Loaded before a child process of the command line: when the command is gone, also when it was
// killed, the child stops. Next.js hands its own children the same options: what they talk to
// through their channel is not the command.
const KILL_AFTER_MS = 15_000
const isChildOfCommand = new URL(import.meta.url).searchParams.get('command') === String(process.ppid)

if (isChildOfCommand) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref()
  })
  process.channel?.unref()
}
