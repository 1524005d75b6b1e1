// loaded before a process of the benchmarks: one that is asked for what ENDS_BADLY names ends,
// when it is let go, as if its stopping had failed

const { ENDS_BADLY = '' } = process.env
const emit = process.emit.bind(process) as (...args: unknown[]) => boolean

process.emit = ((...args: unknown[]) => {
  const [event, message] = args

  if (event === 'message' && JSON.stringify(message).includes(`"${ENDS_BADLY}"`)) {
    process.once('disconnect', () => { process.exitCode = 3 })
  }

  return emit(...args)
}) as typeof process.emit
