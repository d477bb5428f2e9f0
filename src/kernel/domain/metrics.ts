type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(labels?: Labels, by?: number): void
}

export interface Histogram {
  observe(value: number, labels?: Labels): void
}

export interface Metrics {
  counter(name: string, help: string): Counter
  /** `bounds` ascending; larger values count too. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  /** `read` is called on demand. */
  gauge(name: string, help: string, read: () => number): void
  /** All metrics in the Prometheus text format. */
  text(): string
}

// Labels come from closed lists; if one does not, the number of series is limited here.
const MOST_SERIES = 2_000

/** Metrics of a server. */
export function openMetrics(): Metrics {
  const told: (() => string[])[] = []
  const family = (name: string, kind: string, help: string, lines: () => string[]): void => {
    told.push(() => [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${kind}`, ...lines()])
  }
  return {
    counter(name, help) {
      const counts = new Map<string, number>()
      family(name, 'counter', help, () => [...counts].map(([labels, count]) => `${name}${labels} ${count}`))
      return {
        add(labels = {}, by = 1) {
          const key = written(labels)
          if (counts.has(key) || counts.size < MOST_SERIES) counts.set(key, (counts.get(key) ?? 0) + by)
        },
      }
    },
    histogram(name, help, bounds) {
      const series = new Map<
        string,
        { readonly labels: Labels; readonly buckets: number[]; sum: number; count: number }
      >()
      family(name, 'histogram', help, () =>
        [...series.values()].flatMap(({ labels, buckets, sum, count }) => [
          ...bounds.map((bound, at) => `${name}_bucket${written({ ...labels, le: String(bound) })} ${buckets[at]}`),
          `${name}_bucket${written({ ...labels, le: '+Inf' })} ${count}`,
          `${name}_sum${written(labels)} ${sum}`,
          `${name}_count${written(labels)} ${count}`,
        ]),
      )
      return {
        observe(value, labels = {}) {
          const key = written(labels)
          const found = series.get(key) ?? { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 }
          if (!series.has(key) && series.size >= MOST_SERIES) return
          series.set(key, found)
          bounds.forEach((bound, at) => {
            if (value <= bound) found.buckets[at]! += 1
          })
          found.sum += value
          found.count += 1
        },
      }
    },
    gauge: (name, help, read) => family(name, 'gauge', help, () => [`${name} ${read()}`]),
    text: () => `${told.flatMap((lines) => lines()).join('\n')}\n`,
  }
}

const written = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')
