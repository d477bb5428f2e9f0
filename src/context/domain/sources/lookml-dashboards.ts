import { listOf, objectOf, objectsOf, textOf, textsOf, type Loose } from './loose-value.ts'
import { readModelYaml } from './model-yaml.ts'
import { collectPages, lines, oneLine, section, type PagePart, type ReadPages } from './page.ts'

/** LookML dashboards, which are YAML: a page for each, with the queries of its tiles. */
export function lookmlDashboards(files: readonly { readonly path: string; readonly text: string }[]): ReadPages {
  const found = collectPages()
  for (const { path, text } of files) {
    const yaml = readModelYaml(text)
    if ('reason' in yaml) found.skip(path, yaml.reason)
    const dashboards = 'value' in yaml ? objectsOf(yaml.value).filter((one) => textOf(one['dashboard'])) : []
    if ('value' in yaml && dashboards.length === 0) found.skip(path, 'it has no dashboard')
    for (const one of dashboards) {
      const name = textOf(one['dashboard'])!
      found.add({ id: `dashboard/${name}`, title: name, folder: 'dashboards' }, dashboardParts(name, one))
    }
  }
  return found.done()
}

function dashboardParts(name: string, one: Loose): readonly PagePart[] {
  return [
    `# ${oneLine(textOf(one['title']) ?? name)}`,
    `The LookML dashboard \`${name}\`.`,
    textOf(one['description']),
    section(
      'Filters',
      lines(
        objectsOf(one['filters']).map((filter) => {
          const field = [textOf(filter['explore']), textOf(filter['field'])].filter(Boolean).join(': ')
          const value = textOf(filter['default_value'])
          return `- ${textOf(filter['title']) ?? textOf(filter['name']) ?? ''}${field && ` (${field})`}${value ? `, ${value}` : ''}`
        }),
      ),
    ),
    section('Tiles', lines(objectsOf(one['elements']).map((tile) => `- ${tileLine(tile)}`))),
  ]
}

function tileLine(tile: Loose): string {
  const fields = [...textsOf(tile['fields']), ...textsOf(tile['dimensions']), ...textsOf(tile['measures'])]
  const filters = [
    ...Object.entries(objectOf(tile['filters'])),
    ...listOf(tile['filters']).flatMap((one) => Object.entries(objectOf(one))),
  ].map(([field, value]) => `${field} is ${textsOf(value).join(', ')}`)
  const sorts = textsOf(tile['sorts'])
  return oneLine(
    [
      textOf(tile['title']) ?? textOf(tile['name']) ?? textOf(tile['title_text']) ?? 'untitled',
      textOf(tile['explore']) && `: explore ${textOf(tile['explore'])}`,
      fields.length > 0 && `, ${fields.join(', ')}`,
      filters.length > 0 && `; only where ${filters.join(' and ')}`,
      sorts.length > 0 && `; sorted by ${sorts.join(', ')}`,
      textOf(tile['note_text']) && `. ${textOf(tile['note_text'])}`,
      textOf(tile['body_text']) && `. ${textOf(tile['body_text'])}`,
    ]
      .filter(Boolean)
      .join(''),
  )
}
