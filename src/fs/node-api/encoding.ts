const encodings = {
  utf8: 'utf8',
  'utf-8': 'utf8',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
  latin1: 'latin1',
  binary: 'latin1',
  ascii: 'ascii',
  hex: 'hex',
  base64: 'base64',
  base64url: 'base64url'
} as const

/** The names of Node's encodings. Capital letters are allowed, as in Node, but not known to the type. */
export type Encoding = keyof typeof encodings

type Canonical = typeof encodings[Encoding]

interface TextForm {
  encode(text: string): Uint8Array
  decode(bytes: Uint8Array): string
}

const utf8Encoder = new TextEncoder()
const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true })
// what `String.fromCharCode` takes as arguments everywhere
const maxArguments = 8_192

const forms: Readonly<Record<Canonical, TextForm>> = {
  utf8: {
    encode: text => utf8Encoder.encode(text),
    decode: bytes => utf8Decoder.decode(bytes)
  },
  utf16le: {
    encode: text => fromUnits(text, 2),
    decode: decodeUtf16
  },
  latin1: {
    encode: text => fromUnits(text, 1),
    decode: bytes => fromCodes(bytes)
  },
  // reads seven bits and writes eight
  ascii: {
    encode: text => fromUnits(text, 1),
    decode: bytes => fromCodes(bytes.map(byte => byte & 0x7f))
  },
  hex: {
    encode: fromHex,
    decode: bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  },
  base64: {
    encode: fromBase64,
    decode: bytes => btoa(fromCodes(bytes))
  },
  base64url: {
    encode: fromBase64,
    decode: bytes => btoa(fromCodes(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
}

export function isEncoding (encoding: unknown): encoding is Encoding {
  return typeof encoding === 'string' && Object.hasOwn(encodings, encoding.toLowerCase())
}

/**
 * The bytes of a text, as `Buffer.from(text, encoding)` makes them: what is no hexadecimal digit ends the bytes, and what
 * is not base64 is left out.
 */
export function encodeText (text: string, encoding: Encoding = 'utf8'): Uint8Array {
  return forms[canonical(encoding)].encode(text)
}

/**
 * The text of bytes, as `buffer.toString(encoding)` makes it: what is not UTF-8 becomes U+FFFD.
 */
export function decodeText (bytes: Uint8Array, encoding: Encoding = 'utf8'): string {
  return forms[canonical(encoding)].decode(bytes)
}

/** Whether an encoding is hexadecimal, where an odd number of digits is half a byte. */
export function isHex (encoding: Encoding): boolean {
  return canonical(encoding) === 'hex'
}

function canonical (encoding: Encoding): Canonical {
  return encodings[encoding.toLowerCase() as Encoding]
}

function fromUnits (text: string, width: 1 | 2): Uint8Array {
  const bytes = new Uint8Array(text.length * width)

  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    bytes[i * width] = unit

    if (width === 2) {
      bytes[i * 2 + 1] = unit >> 8
    }
  }

  return bytes
}

// TextDecoder would replace surrogates that stand alone, and half a unit at the end
function decodeUtf16 (bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.byteLength >> 1)

  for (let i = 0; i < units.length; i++) {
    units[i] = bytes[i * 2] | (bytes[i * 2 + 1] << 8)
  }

  return fromCodes(units)
}

function fromCodes (codes: Uint8Array | Uint16Array): string {
  const parts: string[] = []

  for (let offset = 0; offset < codes.length; offset += maxArguments) {
    parts.push(String.fromCharCode(...codes.subarray(offset, offset + maxArguments)))
  }

  return parts.join('')
}

function fromHex (text: string): Uint8Array {
  const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0] ?? ''

  return Uint8Array.from({ length: pairs.length / 2 }, (_, i) => Number.parseInt(pairs.slice(i * 2, i * 2 + 2), 16))
}

function fromBase64 (text: string): Uint8Array {
  const digits = text.replace(/[=].*/s, '').replaceAll('-', '+').replaceAll('_', '/').replace(/[^A-Za-z0-9+/]/g, '')

  // one digit alone is less than a byte
  return fromUnits(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits), 1)
}
