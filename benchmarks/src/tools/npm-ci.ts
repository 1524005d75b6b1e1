import { execa } from 'execa'

/**
 * Installs a directory's packages from its lock file.
 */
export async function npmCi (directory: string, flags: readonly string[], signal: AbortSignal): Promise<void> {
  await execa('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...flags], {
    cwd: directory,
    cancelSignal: signal,
    // npm start passes on its own settings, such as the workspace; newer releases of npm would leave what they
    // compiled in the temporary directory
    env: { ...withoutNpmSettings(), NODE_DISABLE_COMPILE_CACHE: '1' },
    extendEnv: false
  })
}

function withoutNpmSettings (): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_(workspace|workspaces|local_prefix|prefix)$/i.test(name)))
}
