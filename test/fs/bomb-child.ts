import { bomb } from './bomb.ts'

// lists a tree of 41 blocks and 2^41 - 2 paths, and prints the name of the error that it gets

try {
  await (await bomb(40)).readdir('/', { recursive: true })
} catch (err) {
  process.stdout.write(err instanceof Error ? err.name : 'no error')
}
