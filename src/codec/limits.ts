/** No block is written larger than this; IPIP-499's chunks are as large, and bitswap refuses blocks over 2 MiB. */
export const maxWrittenBlockBytes = 2 ** 20

/** No block is read larger than this. */
export const maxReadBlockBytes = 2 ** 21

/** An encoded entry, name, inlined content and attributes included. */
export const maxEntryBytes = 2 ** 16

/** Items of a directory node, encoded: a run that has 131,072 bytes ends, so at most 131,071 and one entry more. */
export const maxRunItemBytes = 131_071 + maxEntryBytes

/** What any list or map may claim. */
export const maxItems = 2 ** 18

/** How deep a value may be nested that is read out of a block of another format. */
export const maxValueDepth = 512

export const maxNameBytes = 255
export const maxTargetBytes = 4096
export const maxLevel = 15
export const maxWidth = 1024
export const maxMode = 0o7777
export const maxNanoseconds = 999_999_999
export const maxMetaDepth = 8
export const maxMetaBytes = 4096
export const maxSnapshotMetaBytes = 16_384
export const maxParents = 16
export const maxMessageBytes = 65_536
export const maxChunkBytes = maxWrittenBlockBytes

/** Inlined content that leaves room in an entry for the longest name and the largest attributes. */
export const maxInlineBytes = 32_768
