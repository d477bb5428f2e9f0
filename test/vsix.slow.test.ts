import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packExtension } from '../scripts/vsix.ts'

/** The files of a zip, by its central directory. */
function unzip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = bytes.lastIndexOf('PK\x05\x06')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, length, body] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)]
    const name = bytes.toString('utf8', at + 46, at + 46 + length)
    const from = body + 30 + bytes.readUInt16LE(body + 26)
    files.set(name, inflateRawSync(bytes.subarray(from, from + size)).toString())
    at += 46 + length
  }
  return files
}

test('packs the extension as editors install it, the same bytes each time', async () => {
  const [first, second] = [await packExtension(), await packExtension()]
  expect(first.bytes.equals(second.bytes)).toBe(true)
  const files = unzip(first.bytes)
  expect([...files.keys()].slice(0, 4)).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/package.json',
    'extension/extension.js',
  ])
  const manifest = JSON.parse(files.get('extension/package.json')!) as {
    version: string
    contributes: { configuration: { properties: Record<string, { scope: string }> } }
    capabilities: { untrustedWorkspaces: { supported: boolean } }
  }
  expect(first.name).toBe(`ken-${manifest.version}.vsix`)
  // A workspace must not choose the program that is started.
  expect(manifest.contributes.configuration.properties['ken.command']!.scope).toBe('machine')
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false)
  const required = [...files.get('extension/extension.js')!.matchAll(/\brequire\("([^"]+)"\)/g)].map(
    ([, name]) => name!,
  )
  expect(required.filter((name) => !name.startsWith('node:') && !/^(?:vscode|[a-z_]+)$/.test(name))).toEqual([])
  expect(files.get('extension/THIRD-PARTY-LICENSES.txt')).toContain('vscode-languageclient')
})
