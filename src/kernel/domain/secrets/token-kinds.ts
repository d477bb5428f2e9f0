/**
 * Tokens with a recognisable format: their prefix, and the alphabet and length of the rest, as their issuers document
 * them. A row is prefixes (space-separated alternatives, in regular-expression syntax) and the rest. A prefix that
 * could begin an ordinary word has a rest that no word has.
 */
const KINDS: readonly (readonly [prefixes: string, rest: string])[] = [
  // Clouds and hosting
  ['AKIA ASIA ABIA ACCA AROA AIDA AGPA AIPA ANPA ANVA A3T[A-Z0-9]', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['ABSK', '[A-Za-z0-9+/]{100,}={0,2}'],
  ['LTAI', '(?=\\w{0,60}\\d)[A-Za-z0-9]{16,24}(?![A-Za-z0-9])'],
  ['AKID', '(?=\\w{0,60}\\d)[A-Za-z0-9]{32,36}(?![A-Za-z0-9])'],
  ['AIza', '[\\w-]{35}(?![\\w-])'],
  ['GOCSPX-', '[\\w-]{28}'],
  ['ya29\\.', '[\\w.-]{20,}'],
  ['1//0', '[\\w-]{35,}'],
  ['AQVN', '[\\w-]{35,38}(?![\\w-])'],
  ['t1\\.', '[\\w-]{20,400}={0,2}\\.[\\w-]{80,90}={0,2}'],
  ['dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{64}'],
  ['DO00', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['HRKU-', '[\\w-]{36,}'],
  ['rnd_', '[A-Za-z0-9]{28,}'],
  ['fo1_', '[\\w-]{43}'],
  ['fm1[ar]_ fm2_', '[A-Za-z0-9+/]{60,}={0,3}'],
  ['v1\\.0-', '[a-f0-9]{24}-[a-f0-9]{100,}'],
  ['nfp_ nfc_ nfo_ nfb_ nfu_', '[A-Za-z0-9_-]{36,}'],
  ['vercel_blob_rw_', '\\w{20,}'],
  ['vc[ipkrac]_', '[A-Za-z0-9]{24,}'],
  ['pscale_(?:tkn|oauth|pw|pat)_', '[\\w=.-]{32,}'],
  ['sbp_ sbp_v0_ sb_secret_', '(?=[\\w-]{0,60}\\d)[\\w-]{31,}'],
  ['napi_', '(?=\\w{0,60}\\d)[a-z0-9]{40,}'],
  ['tskey-(?:auth|api|client|scim|webhook)-', '[\\w-]{16,}'],
  ['p8e-', '[A-Za-z0-9]{32}'],
  ['dapi', '[a-f0-9]{32}(?:-\\d)?(?![a-z0-9])'],
  ['tk-us-', '[\\w-]{48}'],
  ['SCW', '(?=[A-Z0-9]{0,60}\\d)[A-Z0-9]{17}(?![A-Za-z0-9])'],
  ['cf(?:ut|at|k)_', '[\\w-]{37,}'],
  // Code hosts, package registries, builds
  ['gh[pousr]_', '[A-Za-z0-9]{36,255}'],
  ['ken_[a-z]_', '[A-Za-z0-9]{40,80}'],
  ['ken_(?:code|access|refresh|device)_', '[A-Za-z0-9_-]{40,80}'],
  ['github_pat_', '\\w{60,}'],
  ['gl(?:pat|dt|rt|cbt|ptt|ft|agent|oas|soat|imt|wt)- glffct- GR1348941', '[\\w.-]{20,}'],
  ['_gitlab_session=', '[0-9a-z]{32}'],
  ['ATATT3 ATCTT3 ATBB ATOA', '(?=[\\w=-]{0,60}\\d)[\\w=-]{20,}'],
  ['BBDC-', '[A-Za-z0-9+@/_-]{40,}'],
  ['npm_', '[A-Za-z0-9]{36,}'],
  ['pypi-', '(?=[\\w-]{0,60}[A-Z])(?=[\\w-]{0,60}\\d)[\\w-]{40,}'],
  ['rubygems_', '[a-f0-9]{48}'],
  ['cio', '(?=[A-Za-z]{0,60}\\d)(?=\\w{0,60}[A-Z])[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  ['CLOJARS_', '[a-z0-9]{60}'],
  ['oy2', '(?=[a-z]{0,60}\\d)[a-z0-9]{43}(?![a-z0-9])'],
  ['dckr_pat_ dckr_oat_', '[\\w-]{27,}'],
  ['AKCp', '[A-Za-z0-9]{60,}'],
  ['cmVmd', '[A-Za-z0-9]{50,}'],
  ['CCIPAT_ CCIPRJ_', '\\w{20,}'],
  ['bkua_ bkat_ bkct_', '[a-f0-9]{40}'],
  ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'],
  ['sgp_ slk_', '(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}'],
  ['pul-', '[a-f0-9]{40}'],
  ['atlasv1\\.', '[\\w=-]{60,}'],
  ['sq[apu]_', '[a-f0-9]{40}'],
  ['figd_ figu_ figo_', '[\\w-]{36,}'],
  ['API-', '(?=[A-Z]{0,60}\\d)[A-Z0-9]{25,26}(?![A-Za-z0-9])'],
  ['snyk_(?:uat|sat)\\.', '[\\w.-]{20,}'],
  ['PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  ['rdme_', '[a-z0-9]{70}'],
  ['phx_', '(?=[A-Za-z_]{0,60}\\d)\\w{40,}'],
  ['sdk- api- mob-', '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}'],
  ['hvs\\. hvb\\. hvr\\.', '[\\w-]{24,}'],
  ['s\\. b\\. r\\.', '(?=[A-Za-z]{0,60}\\d)(?=[a-z0-9]{0,60}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9.])'],
  ['ops_eyJ', '[\\w+/-]{200,}={0,3}'],
  ['A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  ['AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1', '[0-9A-Z]{58,}'],
  ['dnkey-', '[\\w=-]{26}-[\\w=-]{52}'],
  ['sha256~', '[\\w-]{43}'],
  ['st\\.', '[a-f0-9-]{20,60}\\.[a-f0-9]{32,64}(?:\\.[a-f0-9]{32,64})?'],
  ['sc_ ext_ scauth_ authress_', '[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[\\w+/=-]{30,}'],
  // Models
  ['sk-ant-', '(?=[\\w-]{0,60}\\d)[\\w-]{24,}'],
  ['sk-(?:proj|svcacct|admin|None|or-v1|lf|rp)-', '(?=[\\w-]{0,60}\\d)[\\w-]{20,}'],
  ['sk-', '(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{32,}'],
  ['pplx- gsk_ xai- csk- tgp_v1_ fw_ r8_ jina_ pa- nvapi-', '(?=[\\w-]{0,60}\\d)(?=[\\w-]{0,60}[A-Z])[\\w-]{32,}'],
  ['hf_ api_org_', '(?=[A-Za-z0-9]{0,60}[A-Z])[A-Za-z0-9]{30,}'],
  ['pcsk_', '\\w{40,}'],
  ['lsv2_(?:pt|sk)_', '[a-f0-9]{32}_[a-f0-9]{10}'],
  ['e2b_', '[a-f0-9]{40}'],
  ['tvly- fc-', '(?=[\\w-]{0,60}\\d)[A-Za-z0-9-]{30,}'],
  ['wandb_v1_', '\\w{40,}'],
  // Payment and commerce
  ['rk_(?:live|test|prod)_ sk_(?:live|test|prod)_', '[A-Za-z0-9]{10,}'],
  ['whsec_', '[A-Za-z0-9+/=_-]{24,}'],
  ['sq0(?:atp|csp|idp)- EAAA', '(?=[\\w-]{0,60}\\d)[\\w-]{22,}'],
  ['shp(?:at|ca|pa|ss|tka|ua)_ shprt_', '[a-fA-F0-9]{32}'],
  ['access_token\\$(?:production|sandbox)\\$', '[a-z0-9]{16}\\$[a-f0-9]{32}'],
  ['access-(?:sandbox|development|production)-', '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}'],
  ['FLWSECK(?:_TEST)?- FLWPUBK(?:_TEST)?-', '[a-zA-Z0-9]{12,}(?:-X)?'],
  ['duffel_(?:test|live)_', '[\\w=-]{43}'],
  ['EZ[AT]K', '[A-Za-z0-9]{54}'],
  ['shippo_(?:live|test)_', '[a-fA-F0-9]{40}'],
  ['rzp_(?:live|test)_', '[A-Za-z0-9]{14,}'],
  ['live_ test_', '[a-f0-9]{35}(?![a-z0-9])'],
  ['pdl?_(?:live|sdbx)_(?:apikey_)?', '\\w{24,}'],
  ['live_ sandbox_', '(?=[\\w-]{0,60}\\d)(?=[\\w-]{0,60}[A-Z])[\\w-]{40,}'],
  ['ck_ cs_', '[a-f0-9]{40}'],
  ['AQE(?!FAA[OS]C)', '[A-Za-z0-9+/]{50,}={0,2}(?:-[A-Za-z0-9+/=]{20,})?'],
  // Mail, chat, telephony, social
  ['xox[abceoprs]- xoxe\\.xox[bp]- xapp-', '(?=[\\w-]{0,60}\\d)[\\w-]{10,}'],
  ['SG\\.', '[\\w-]{16,24}\\.[\\w-]{30,}'],
  ['xkeysib- xsmtpsib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['key-', '[a-f0-9]{32}(?![a-z0-9])'],
  ['md-', '(?=[A-Za-z_-]{0,60}\\d)(?=[\\w-]{0,60}[A-Z])[\\w-]{22}(?![\\w-])'],
  ['re_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}'],
  ['mlsn\\.', '[a-f0-9]{64}'],
  ['SK', '[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['bot\\d{8,10}:A', '[\\w-]{34}(?![\\w-])'],
  ['mfa\\.', '[\\w-]{80,}'],
  ['EAA', '(?=\\w{0,60}\\d)(?=\\w{0,60}[a-z])[A-Za-z0-9]{60,}'],
  ['IG(?:QV|QW|AA)', '[\\w-]{80,}'],
  ['AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{60,}'],
  ['AAAA', '[\\w-]{7}:[\\w-]{140,}'],
  ['tfp_', '[\\w=.-]{40,}'],
  ['secret_ ntn_', '(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{40,}'],
  ['lin_(?:api|oauth)_', '[A-Za-z0-9]{30,}'],
  ['pat[A-Za-z0-9]{14}\\.', '[a-f0-9]{64}'],
  ['fio-u-', '[\\w=-]{64}'],
  ['sl\\.', '(?=[\\w=-]{0,60}\\d)[\\w=-]{60,}'],
  ['pk_', '\\d{6,9}_[A-Z0-9]{32}'],
  ['CFPAT-', '[\\w-]{43}'],
  ['pat-(?:na|eu|ap)\\d-', '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}'],
  ['zpka_', '\\w{36,}'],
  ['dG9rO', '(?=[A-Za-z]{0,60}\\d)[\\w=-]{40,}'],
  ['1/\\d{10,20}:', '[a-f0-9]{32}'],
  ['sk\\.eyJ', '[\\w-]{20,600}\\.[\\w-]{20,}'],
  // Monitoring and data
  ['glsa_', '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'],
  ['glc_eyJ', '[A-Za-z0-9+/]{30,}={0,2}'],
  ['sntryu_ sntrys_ sntryi_', '[\\w+/=-]{32,}'],
  ['NRAK- NRII- NRIQ- NRAA- NRRA- NRJS- NRSP-', '[A-Za-z0-9-]{19,}'],
  ['dt0[a-z]\\d\\d\\.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['hcaik_ hcbik_ hcxik_ hcalk_', '[a-z0-9]{50,}'],
  ['pnu_', '[A-Za-z0-9]{36}'],
  ['4b1d', '(?=[a-z0-9]{0,60}[A-Z])[A-Za-z0-9]{38}(?![A-Za-z0-9])'],
  ['dbtc_ dbtu_ dbts_', '[\\w=-]{30,}'],
  ['sm_(?:aat|pat|sat)_', '[A-Za-z0-9]{16}'],
  ['apify_api_', '[A-Za-z0-9]{36}'],
  ['mdb_sa_sk_', '[\\w-]{40,}'],
  ['aio_', '[A-Za-z0-9]{28}'],
  ['AVNS_', '[\\w-]{17,}'],
  ['sk_(?!live|test|prod)', '(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{32,}(?![A-Za-z0-9])'],
  // Azure: three characters, a digit and Q~ in the middle of a client secret; fixed marks in keys of storage, DevOps
  // and others
  ['eyJrIjoi', '[A-Za-z0-9+/]{40,}={0,2}'],
  // Signed tokens
  ['eyJ[\\w-]{10,600}\\.eyJ[\\w-]{10,8000}\\.', '[\\w-]{10,}'],
  ['eyJ[\\w-]{20,600}\\.', '[\\w-]{0,1000}\\.[\\w-]{16,100}\\.[\\w-]{16,8000}\\.[\\w-]{16,}'],
  [
    'v1\\.(?:local|public)\\. v2\\.(?:local|public)\\. v3\\.(?:local|public)\\. v4\\.(?:local|public)\\.',
    '[\\w-]{40,}',
  ],
  ['gAAAAA', '[\\w-]{80,}={0,2}'],
  // Wallets
  ['xprv yprv zprv tprv', '[1-9A-HJ-NP-Za-km-z]{100,}'],
  ['5H 5J 5K', '[1-9A-HJ-NP-Za-km-z]{49}(?![A-Za-z0-9])'],
  ['nsec1', '[0-9a-z]{58}'],
]

/** Tokens without a fixed beginning, identified by a mark in their middle or at their end. */
export const MARKED: readonly { readonly mark: string; readonly least: number; readonly pattern: RegExp }[] = [
  { mark: '-us', least: 36, pattern: /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g },
  { mark: '-', least: 46, pattern: /(?<![A-Za-z0-9-])[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])/g },
  { mark: ':A', least: 44, pattern: /(?<![A-Za-z0-9])\d{8,10}:A[\w-]{34}(?![\w-])/g },
  { mark: '.', least: 58, pattern: /(?<![A-Za-z0-9_-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g },
  { mark: '|', least: 41, pattern: /(?<![A-Za-z0-9])\d{13,17}\|[\w-]{27,40}(?![\w-])/g },
  { mark: '%7C', least: 43, pattern: /(?<![A-Za-z0-9])\d{13,17}%7C[\w-]{27,40}(?![\w-])/g },
  {
    mark: '-',
    least: 46,
    pattern: /(?<![A-Za-z0-9])\d{15,25}-(?=[A-Za-z]*\d)(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{30,45}(?![A-Za-z0-9])/g,
  },
  { mark: 'NRAL', least: 40, pattern: /(?<![A-Za-z0-9])[a-f0-9]{36}NRAL(?![A-Za-z0-9])/g },
  // Tokens of any issuer: a short name, and a body that no identifier has.
  {
    mark: '_',
    least: 36,
    pattern:
      /(?<![A-Za-z0-9_-])[a-z][a-z0-9]{1,11}(?:[_-][a-z]{2,10}){0,2}_(?=[A-Za-z]{0,60}\d)(?=[a-z0-9]{0,60}[A-Z])(?=[A-Z0-9]{0,60}[a-z])[A-Za-z0-9]{32,}(?![A-Za-z0-9_])/g,
  },
  { mark: '_mmk', least: 40, pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/g },
  { mark: '.atlasv1.', least: 80, pattern: /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/g },
  // Azure client secrets have a digit and Q~ after three characters; other Azure keys have marks before their check
  // sum.
  { mark: 'Q~', least: 37, pattern: /(?<![A-Za-z0-9])[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,34}/g },
  { mark: 'AZDO', least: 84, pattern: /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}/g },
  { mark: 'AzFu', least: 52, pattern: /[\w+/-]{44,52}AzFu[\w+/-]{4,8}={0,2}/g },
  { mark: 'ACDb', least: 84, pattern: /[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{5}={0,2}/g },
  { mark: '+ASt', least: 84, pattern: /[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5}={0,2}/g },
  { mark: 'AIoT', least: 40, pattern: /[A-Za-z0-9+/]{33}AIoT[A-Za-z0-9+/]{5}={0,2}/g },
]

const FIRST_TWO = /^(\\?.)(\\?.)/

/** Patterns by the first two characters of a token, so that one lookup decides whether any is tried. */
export const KINDS_AT: ReadonlyMap<number, RegExp> = new Map(
  Array.from(
    Map.groupBy(
      KINDS.flatMap(([prefixes, rest]) =>
        prefixes.split(' ').map((prefix) => ({ prefix, source: `${prefix}${rest}` })),
      ),
      ({ prefix }) =>
        firstTwo(
          ...(FIRST_TWO.exec(prefix)!
            .slice(1)
            .map((part) => part.at(-1)!.charCodeAt(0)) as [number, number]),
        ),
    ),
    ([code, kinds]) => [code, new RegExp(kinds.map(({ source }) => source).join('|'), 'y')] as const,
  ),
)

export function firstTwo(first: number, second: number): number {
  return (first << 7) | second
}

/** Minimum length of the tokens in the table. */
export const SHORTEST_TOKEN = 20
