import { builtinModules } from 'node:module'
import path from 'node:path'
import ts from 'typescript'

/**
 * The layers: what each room may import, besides its own files and the words at the top of `src`. Nothing else may be
 * imported by anybody, so a new arrow is a change of this table and of the figure in the map.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  codec: [],
  glob: [],
  roots: [],
  sqlite: [],
  threads: [],
  pack: ['roots', 'threads'],
  blockstore: ['codec'],
  directory: ['blockstore', 'codec'],
  file: ['blockstore', 'codec'],
  tree: ['blockstore', 'codec', 'directory'],
  compare: ['blockstore', 'codec', 'directory', 'tree'],
  fs: ['blockstore', 'codec', 'compare', 'directory', 'file', 'glob', 'roots', 'tree'],
  'adapters/disk-roots': ['roots', 'sqlite'],
  'adapters/host': ['codec', 'fs', 'threads'],
  'adapters/unstorage': ['fs']
}

/**
 * Rooms that are planned, and what they may import: one that comes to be moves into the table above, and names there what it does
 * import. An import of theirs that is not allowed here needs a better plan first.
 */
export const planned: Readonly<Record<string, readonly string[]>> = {
  // varints, limits and a reading window of CARs
  car: ['codec'],
  'adapters/car': ['blockstore', 'car', 'codec', 'fs'],
  'adapters/just-bash': ['fs'],
  'adapters/node-fs': ['fs'],
  'adapters/unixfs': ['blockstore', 'codec', 'fs'],
  'adapters/vfs': ['fs'],
  sync: ['adapters/car', 'blockstore', 'codec', 'fs', 'roots'],
  http: ['adapters/car', 'fs', 'sync'],
  cli: ['adapters/car', 'adapters/disk-roots', 'adapters/host', 'adapters/unixfs', 'fs', 'http', 'pack', 'sync']
}

/**
 * The folders of the pack store: each may import those before it, and the files at the top of the room. Reading and writing do
 * not import each other.
 */
export const packFolders = ['files', 'format', 'scanning', 'segments', 'block-index', 'reading', 'writing', 'maintenance']
const packSiblings = ['reading', 'writing']

/** What the package's front door gives out */
const frontDoor = ['blockstore', 'codec', 'file', 'fs', 'roots']

/** Packages that stay behind few rooms */
const packageRooms: Readonly<Record<string, readonly string[]>> = { cborg: ['codec'], '@ipld/dag-cbor': ['codec', 'pack'] }

/** Helia is given by the caller, by its shape: importing it costs every user ten times our own size */
const forbiddenPackages = ['helia']

const nodeRooms = ['adapters/disk-roots', 'adapters/host', 'pack', 'sqlite', 'threads']
/** Has a signal of its own, whose reason is an error of ours */
const abortsByItself = ['pack/reading/reader-session.ts']
const hostGlobals = ['process', 'Buffer', 'window', 'document', 'self', 'navigator']

export interface Import {
  readonly from: string
  readonly specifier: string
  /** The imported file, for a relative import */
  readonly file: string | undefined
}

/**
 * All imports of a file, as TypeScript's own parser sees them: of types, re-exports and dynamic ones as well.
 */
export function importsOf (file: string, source: string): Import[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName: specifier }) => ({
    from: file,
    specifier,
    file: specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : undefined
  }))
}

/**
 * Holds the files of `src`, by their path in it, against the layers and says in words what breaks them.
 *
 * @param files - the source of every file
 * @param twins - the files that `package.json` replaces in browsers
 */
export function faultsOf (files: ReadonlyMap<string, string>, twins: readonly string[]): string[] {
  const imports = [...files].flatMap(([file, source]) => importsOf(file, source))

  return [
    ...[...files.keys()].flatMap(placeFaults),
    ...imports.flatMap(found => importFaults(found, files, twins)),
    ...[...files].flatMap(([file, source]) => globalFaults(file, source, twins)),
    ...cyclesOf(files)
  ]
}

/**
 * Names each cycle of imports, of types as well.
 *
 * @param files - the source of every file, by its path
 */
export function cyclesOf (files: ReadonlyMap<string, string>): string[] {
  return cycleFaults(files, [...files].flatMap(([file, source]) => importsOf(file, source)))
}

function placeFaults (file: string): string[] {
  const room = roomOf(file)

  if (room === undefined) {
    return []
  }

  if (arrows[room] === undefined) {
    return [`${file} stands in ${room}, which is no room of the table`]
  }

  const folder = room === 'pack' ? packFolderOf(file) : undefined

  return folder === undefined || packFolders.includes(folder) ? [] : [`${file} stands in pack/${folder}, which is no folder of the table`]
}

function importFaults (found: Import, files: ReadonlyMap<string, string>, twins: readonly string[]): string[] {
  return found.file === undefined ? packageFaults(found, twins) : arrowFaults(found, found.file, files)
}

function arrowFaults ({ from, specifier }: Import, file: string, files: ReadonlyMap<string, string>): string[] {
  const [room, other] = [roomOf(from), roomOf(file)]

  if (!files.has(file)) {
    return [`${from} imports ${specifier}, which is no file of src`]
  }

  if (other === room) {
    return room === 'pack' ? folderFaults(from, file) : []
  }

  if (other === undefined) {
    return file === 'index.ts' ? [`${from} imports the package's front door`] : []
  }

  if (file !== `${other}/index.ts`) {
    return [`${from} enters ${other} through ${file}, not through its index.ts`]
  }

  if (room === undefined && from !== 'index.ts') {
    return [`${from} is a word that everybody may use, and imports the room ${other}`]
  }

  const allowed = room === undefined ? frontDoor : arrows[room]

  return allowed?.includes(other) === true ? [] : [`${from} imports ${other}, which is not below it`]
}

function folderFaults (from: string, file: string): string[] {
  const [folder, other] = [from, file].map(packFolderOf)

  if (folder === undefined || other === undefined || folder === other) {
    return []
  }

  const isBelow = packFolders.indexOf(other) < packFolders.indexOf(folder) && !(packSiblings.includes(folder) && packSiblings.includes(other))

  return isBelow ? [] : [`${from} imports pack/${other}, which is not below it`]
}

/** The folder of the pack store that a file stands in; undefined for the files at the top of the room */
function packFolderOf (file: string): string | undefined {
  const parts = file.split('/')

  return parts.length > 2 ? parts[1] : undefined
}

function packageFaults ({ from, specifier }: Import, twins: readonly string[]): string[] {
  const room = roomOf(from)

  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
    return isNodeOnly(from, twins) ? [] : [`${from} imports ${specifier}, which browsers do not have`]
  }

  const name = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')

  if (forbiddenPackages.includes(name)) {
    return [`${from} imports ${name}, which users bring`]
  }

  const owners = packageRooms[name]

  return owners === undefined || owners.includes(room ?? '') ? [] : [`${from} imports ${name}, which only ${owners.join(' and ')} may`]
}

/** A platform is told by the twin that was chosen, never by looking for its globals */
function globalFaults (file: string, source: string, twins: readonly string[]): string[] {
  const faults: string[] = []

  const visit = (node: ts.Node): void => {
    if (ts.isTypeOfExpression(node) && ts.isIdentifier(node.expression) && hostGlobals.includes(node.expression.text)) {
      faults.push(`${file} tells platforms apart by typeof ${node.expression.text}`)
    } else if (ts.isPropertyAccessExpression(node) && node.name.text === 'throwIfAborted' && !abortsByItself.includes(file)) {
      faults.push(`${file} rejects with the reason of a signal; abort.ts makes an AbortError of it`)
    } else if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && hostGlobals.includes(node.expression.text) && !isNodeOnly(file, twins)) {
      faults.push(`${file} uses the global ${node.expression.text}, which not every platform has`)
    }

    ts.forEachChild(node, visit)
  }

  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest))

  return faults
}

function cycleFaults (files: ReadonlyMap<string, string>, imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const faults: string[] = []

  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      faults.push(`${[...trail.slice(trail.indexOf(file)), file].join(' imports ')}: a cycle`)
    } else if (!done.has(file)) {
      next.get(file)?.forEach(found => {
        if (found.file !== undefined) {
          visit(found.file, [...trail, file])
        }
      })
      done.add(file)
    }
  }

  for (const file of files.keys()) {
    visit(file, [])
  }

  return faults
}

/** The room that a file stands in, a folder of a room being part of it; undefined for the files at the top of `src` */
export function roomOf (file: string): string | undefined {
  const directory = path.posix.dirname(file)

  if (directory === '.') {
    return undefined
  }

  const parts = directory.split('/')
  const ways = parts.map((_, i) => parts.slice(0, parts.length - i).join('/'))

  return ways.find(way => arrows[way] !== undefined) ?? directory
}

function isNodeOnly (file: string, twins: readonly string[]): boolean {
  return twins.includes(file) || nodeRooms.includes(roomOf(file) ?? '')
}
