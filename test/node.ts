import './directory/million.node.ts'
import './fs/disk-stores.node.ts'
import './adapters/host/import.node.ts'
import './adapters/host/export.node.ts'
