import which from 'which'

/**
 * Finds a program: the one that a variable of the environment names, or the first of some commands on the PATH.
 *
 * @throws {Error} where the variable names no executable
 */
export function findExecutable (variable: string, commands: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const given = env[variable]

  if (given != null && given !== '') {
    const found = which.sync(given, { nothrow: true, path: env.PATH })

    if (found === null) {
      throw new Error(`${variable} is ${given}, which is not an executable`)
    }

    return found
  }

  return commands.map(command => which.sync(command, { nothrow: true, path: env.PATH })).find(found => found !== null)
}
