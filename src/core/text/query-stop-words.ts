import { STOP_WORDS } from '../ranking/decision-tokens.ts'

/**
 * Words that people ask with but do not search for. Documents keep them, so that a query of nothing else still finds;
 * "all words must occur" would fail on most questions otherwise.
 */
export const QUERY_STOP_WORDS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...`what when where which who whom whose why how did do does done doing has have had having were been being am can could
  should would may might must shall i me my mine we us our ours you your yours he him his she her hers its them
  those about from any some also than too very just here so because while during between
  s t d m re ve ll don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn please tell`.split(
    /\s+/,
  ),
])
