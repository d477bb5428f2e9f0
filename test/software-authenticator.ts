import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Deliberately wrong values in a response. */
export interface Slips {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isVerified?: boolean
  readonly counter?: number
}

/** An authenticator in this process: real keys on P-256, real CBOR and COSE, real ES256 signatures. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(16)
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly origin: string
  private counter = 0
  private user = ''

  constructor(origin: string) {
    this.origin = origin
  }

  create(options: { challenge: string; user: { id: string } }, slips: Slips = {}): object {
    this.user = options.user.id
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' })
    const cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    )
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const data = Buffer.concat([this.head(0x41, slips), Buffer.alloc(16), length, this.id, cose])
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    )
    return this.credential({
      clientDataJSON: this.client('webauthn.create', options.challenge, slips).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  get(options: { challenge: string }, slips: Slips = {}): object {
    this.counter = slips.counter ?? this.counter + 1
    const client = this.client('webauthn.get', options.challenge, slips)
    const data = this.head(0x01, slips)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      userHandle: this.user,
    })
  }

  private credential(response: object): object {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  private client(type: string, challenge: string, slips: Slips): Buffer {
    const said = {
      type,
      challenge: slips.challenge ?? challenge,
      origin: slips.origin ?? this.origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(said))
  }

  private head(flags: number, { rpId = new URL(this.origin).hostname, isVerified = true }: Slips): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const hash = createHash('sha256').update(rpId).digest()
    return Buffer.concat([hash, Buffer.from([flags | (isVerified ? 0x04 : 0)]), counter])
  }
}

function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? start(1, -1 - value) : start(0, value)
  if (typeof value === 'string') return Buffer.concat([start(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([start(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([start(5, value.size), ...[...value].flatMap(([key, held]) => [cbor(key), cbor(held)])])
  throw new TypeError('not in CBOR here')
}

function start(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
