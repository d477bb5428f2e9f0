import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and a self-signed certificate, for clients that require TLS and are configured not to verify it. */
export function ownCertificate(host = 'localhost'): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = der(0x30, der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
  const commonName = der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(host)))
  const name = der(0x30, der(0x31, commonName))
  const validity = der(0x30, ...['200101000000Z', '491231235959Z'].map((moment) => der(0x17, Buffer.from(moment))))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(0x30, der(0x02, Buffer.from([1])), algorithm, name, validity, name, subjectKey)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const text = der(0x30, body, algorithm, signature)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

/** One ASN.1 value: its tag, its length and its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
