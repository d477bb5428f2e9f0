// Packs the VS Code extension: `npm run vsix [folder]` writes ken-<version>.vsix, which Cursor and Windsurf install too.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { thirdPartyLicences } from './third-party-licences.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'integrations/vscode/extension')

/** The extension with its language client bundled, as the zip that editors install. */
export async function packExtension(): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const manifest = { ...(JSON.parse(await readFile(join(SOURCE, 'package.json'), 'utf8')) as Manifest), version }
  const { code, modules } = await bundle()
  const files: [string, string][] = [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['extension.vsixmanifest', vsixManifest(manifest)],
    ['extension/package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['extension/extension.js', code],
    ['extension/LICENSE.txt', await readFile(join(ROOT, 'LICENSE'), 'utf8')],
    ['extension/THIRD-PARTY-LICENSES.txt', await thirdPartyLicences(modules)],
  ]
  return { name: `ken-${version}.vsix`, bytes: zip(files) }
}

async function bundle(): Promise<{ code: string; modules: readonly string[] }> {
  const built = await rolldown({
    input: join(SOURCE, 'extension.mjs'),
    platform: 'node',
    external: ['vscode'],
    resolve: { mainFields: ['module', 'main'] },
  })
  const { output } = await built.generate({ format: 'cjs', codeSplitting: false })
  await built.close()
  return { code: output[0].code, modules: output[0].moduleIds }
}

interface Manifest {
  readonly name: string
  readonly publisher: string
  readonly displayName: string
  readonly description: string
  readonly engines: { readonly vscode: string }
  readonly categories: readonly string[]
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`

const vsixManifest = (given: Manifest & { readonly version: string }): string => `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${given.name}" Version="${given.version}" Publisher="${given.publisher}"/>
    <DisplayName>${given.displayName}</DisplayName>
    <Description xml:space="preserve">${given.description}</Description>
    <Categories>${given.categories.join(',')}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${given.engines.vscode}"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`

/** 1 January 1980, the earliest date a zip can store: the same sources give the same bytes. */
const DAY = 0x0021
const DEFLATED = 8
const UTF8 = 0x0800

function zip(files: readonly (readonly [path: string, text: string])[]): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [path, text] of files) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)]
    const packed = deflateRawSync(data, { level: 9 })
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(UTF8, 2)
    shared.writeUInt16LE(DEFLATED, 4)
    shared.writeUInt16LE(DAY, 8)
    shared.writeUInt32LE(crc32(data), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(data.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    bodies.push(Buffer.from('PK\x03\x04'), shared, name, packed)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), shared, entry, name)
    at += 4 + shared.length + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, listed, end])
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist'))
  const { name, bytes } = await packExtension()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), bytes)
  console.log(`Wrote ${join(folder, name)} (${Math.ceil(bytes.length / 1024)} kB).`)
}
