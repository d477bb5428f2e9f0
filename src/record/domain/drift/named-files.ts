import type { Decision } from '../decision/decision.ts'
import { isRejected } from '../names/stance.ts'

const MOST_TEXT = 10_000
const MOST_FILES = 20
const PATH = /(?<![\w./:@-])(?:\.{0,2}\/)?(?:[\w.@-]{1,80}\/){0,12}[\w.@-]{1,80}(?![\w/:@(])/g
const IS_FILE =
  /\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|ini|cfg|conf|properties|env|py|rb|go|rs|java|kts?|scala|php|cs|swift|dart|exs?|sql|proto|graphqls?|prisma|tf|hcl|sh|ps1|xml|html?|css|scss|vue|svelte|gradle|lua|nix|cmake|mk|tmpl|hbs|ejs|liquid)$|(?:^|\/)(?:Dockerfile|Makefile|Procfile|Jenkinsfile|Gemfile|Rakefile|Vagrantfile|justfile|\.[a-z][\w-]{2,}rc(?:\.\w+)?|\.env[\w.]*|\.editorconfig|\.tool-versions|\.nvmrc)$/
// Product names such as `next.js`, which are not files.
const PRODUCT =
  /^(?:node|next|vue|nuxt|express|react|angular|d3|three|alpine|day|moment|ember|backbone|socket|chart|sql|underscore|solid|nest|koa|discord|p5|plot|ml|asp|bun|deno|pdf|video|hls|mapbox|tensorflow|brain|paper|fabric|pixi|phaser|babylon|require|knockout|mithril|riot|polymer|handlebars|mustache|highlight|prism|leaflet|turf|lodash|ramda|math|big|decimal|bignumber|crypto|tweetnacl|sodium|libsodium|passport|sails|meteor|loopback|feathers|hapi|polka|restify|total|adonis)\.js$/i

/** The files that a decision's text names as existing, without those in `files_affected`. */
export function namedFiles({
  title,
  rationale,
  files_affected,
}: Pick<Decision, 'title' | 'rationale' | 'files_affected'>): string[] {
  const text = `${title}\n${rationale}`.slice(0, MOST_TEXT)
  const listed = new Set(files_affected)
  const found = [...text.matchAll(PATH)].flatMap(({ 0: raw, index }) => {
    const spelled = raw.replace(/\.+$/, '')
    const path = spelled.replace(/^(?:\.?\/)+/, '')
    if (!IS_FILE.test(path) || PRODUCT.test(path) || path.includes('..') || listed.has(path)) return []
    return isRejected(text, index, index + spelled.length) ? [] : [path]
  })
  return [...new Set(found)].slice(0, MOST_FILES)
}
