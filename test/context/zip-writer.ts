import { crc32, deflateRawSync } from 'node:zlib'

export interface ZippedFile {
  readonly path: string
  readonly text: string | Buffer
  /** The size in the directory, if it differs from the real one. */
  readonly claimed?: number
  readonly stored?: boolean
}

/** A zip file as other programs write it; `wide` adds the zip64 record of large ones. */
export function zipped(files: readonly ZippedFile[], { wide = false } = {}): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { path, text, claimed, stored = false } of files) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(text)]
    const packed = stored ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(stored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimed ?? bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const at = Buffer.alloc(14)
    at.writeUInt32LE(offset, 10)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, at, name]))
    bodies.push(body)
    offset += body.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(wide ? 0xffff : files.length, 10)
  end.writeUInt32LE(wide ? 0xffffffff : listed.length, 12)
  end.writeUInt32LE(wide ? 0xffffffff : offset, 16)
  return Buffer.concat([...bodies, listed, ...(wide ? [wideEnd(files.length, listed.length, offset)] : []), end])
}

function wideEnd(count: number, length: number, offset: number): Buffer {
  const record = Buffer.alloc(76)
  record.write('PK\x06\x06', 0, 'latin1')
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  record.write('PK\x06\x07', 56, 'latin1')
  record.writeBigUInt64LE(BigInt(offset + length), 64)
  return record
}
