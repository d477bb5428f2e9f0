import { folded } from './content-words.ts'
import { isAsked } from './standing-instruction.ts'

/**
 * Whether a sentence states a lasting fact about the user, their team or their company. Current wishes, feelings,
 * attempts or views do not count, nor statements about other people.
 */
export function isSelfStatement(sentence: string): boolean {
  const said = folded(sentence).replaceAll(/\bwe're\b/g, 'we are')
  if (isAsked(said) || MOMENT.test(said) || OF_OTHERS.test(said)) return false
  return SELF.some((pattern) => pattern.test(said))
}

/** Words for temporary or past facts. */
const MOMENT =
  /\b(?:today|tonight|tomorrow|yesterday|this (?:week|morning|afternoon|evening|time)|next (?:week|month)|last (?:week|month|night)|right now|at the moment|for now|just now|in a (?:meeting|call|hurry|rush)|on (?:holiday|vacation|sick|a call|leave|the phone)|until|heute|morgen|gestern|gerade|momentan|diese woche|im moment|im urlaub|aujourd'hui|demain|hier|cette semaine|en ce moment|hoy|manana|ayer|esta semana|ahora mismo|en este momento)\b/

const PEOPLE =
  'boss|chief|manager|managers|supervisor|colleagues?|co-?workers?|wife|husband|spouse|girlfriend|boyfriend|friends?|son|daughter|child|kids?|children|mother|father|mum|mom|dad|brother|sister|neighbou?r|clients?|customers?|employees?|assistant|secretary|intern|doctor|patients?|suppliers?|cfo|ceo|cto|coo' +
  '|chef|chefin|vorgesetzte\\w*|kolleg\\w*|frau|mann|freund\\w*|sohn|tochter|kind\\w*|mutter|vater|kund\\w*|mitarbeiter\\w*|assistent\\w*' +
  '|patron|patronne|collegues?|femme|mari|amie?s?|fils|fille|enfants?|mere|pere|clientes?|employee?s?' +
  '|jefe|jefa|colegas?|companer[oa]s?|esposa|esposo|marido|amig[oa]s?|hij[oa]s?|madre|padre|emplead[oa]s?'
const MINE = '(?:my|our|mein\\w*|unser\\w*|mon|ma|mes|notre|nos|mi|mis|nuestr\\w+)'

/** Statements about other people: "My boss prefers …" is about the boss. */
const OF_OTHERS = new RegExp(`\\b${MINE} (?:[\\p{L}-]+ )?(?:${PEOPLE})(?![\\p{L}])`, 'u')

// Words after "I am" that describe a mood, a time or current work.
const PASSING_STATE =
  'not|sure|unsure|always|never|often|certain|looking|trying|wondering|asking|thinking|afraid|sorry|happy|glad|curious|confused|interested|going|getting|seeing|doing|done|ready|back|here|there|tired|stuck|aware|guessing|missing|preparing|writing|building|about|just|still|late|busy|fine|good|ok|okay|lost|talking|referring|using|reading|checking|making|running out|running into|kidding|joking|hoping|planning|waiting|expecting|working on|comparing|analy[sz]ing|investigating|testing|having|at (?:home|lunch|the|a)|in (?:a|the middle)|on (?:it|the|a)|out|away|off|so|too|very|really|pretty|quite|all|only|also|impressed|surprised|worried|convinced|pleased|satisfied|grateful|right|wrong|hungry|bored|a (?:bit|little)|on my|down|up|at \\d+|new to this chat'
const EN_VERBS =
  'work (?:in|at|for|as|with|from|part|full|remotely|nights?|mostly|mainly|closely)|live(?! and breathe| in fear)|lead|manage|run (?!a query|the query|this|that|it|into|out)|own|report to|prefer(?! (?:it|this|that|these|those|your|the (?:first|second|third|last|other|new|old|previous))\\b)|(?:like|love|hate|dislike)(?! (?:it|this|that|the|these|those|your|how|what|to see)\\b)|(?:usually|mostly|mainly|typically) (?:look at|work|report|use|check|need|read)|speak|study|teach|belong|come from|handle|cover|supervise|oversee|head|direct|look after|take care of|code|program|know (?:sql|python|r|excel|dbt)|use(?! this| that| it| the same)|hold|represent|specialize|specialise|sell|buy for|coordinate|maintain|support'
const WE_VERBS =
  'are (?!seeing|looking|getting|going|trying|having|missing|not|at|in a|on|out|done|ready|talking|using this|down|up|at|below|above|over|under|short|late)|use (?!it|this|that|them)|sell|ship|operate|run|call|define|bill|report|store|keep|buy|make|produce|deliver|offer|serve|work|measure|count|invoice|rent|manufacture|export|import|trade|have (?:no|an?|two|three|four|five|six|seven|eight|nine|ten|several|many) (?!problem|issue|question|meeting|call|bug|deadline|drop|spike|gap|lot|few|look|chance|idea|orders|customers|users|returns|rows|data|way|doubt)\\p{L}|have (?:stores|offices|shops|branches|warehouses)'
const PRESENT =
  '(?:is|are|has|have|uses?|starts?|begins?|ends?|closes?|opens?|runs?|works?|sells?|ships?|looks? after|takes? care|consists?|belongs?|operates?|covers?|means?|counts?|sits?|reports?|speaks?|lives?|prefers?|handles?|owns?|maintains?|makes?|produces?|builds?|manages?|imports?|exports?|offers?)(?! (?:down|up|slow|broken|off|wrong|empty|late|missing|high|low|higher|lower|falling|growing|better|worse|bad|good|great|fine|ready|done|not|too|so|very|still|being|getting|going|different|gone)\\b)'
const THINGS =
  'name|team|company|department|role|job|title|position|time ?zone|language|first language|native language|mother tongue|pronouns|office|group|organi[sz]ation|shop|store|region|territory|market|background|field|profession|country|city|business|unit|division|currency|calendar|area|favou?rite|preferred|default|squad|employer|industry|seniority|level|expertise'
/** Words after "our" that denote a figure, and so refer to data. */
const FIGURES =
  'revenue|sales|orders?|numbers?|figures?|returns?|rates?|churn|conversion|margin|profit|costs?|kpis?|data|results?|query|queries|table|chart|report|dashboard|growth|traffic|stock|inventory|last|average|total|umsatz\\w*|zahlen|kosten|ventes|chiffres?|ingresos|ventas|datos'

const SELF: readonly RegExp[] = [
  new RegExp(`\\b(?:i am|i'm) (?!(?:${PASSING_STATE})\\b)`, 'u'),
  new RegExp(`\\bi (?:also |mainly |mostly |usually |only )?(?:${EN_VERBS})\\b`, 'u'),
  /\b(?:my name is|my name's|call me (?!when|if|back|later|on|at|once|as soon|again)|i go by|i'm called|(?:i'm|i am) not (?:an? (?!fan|big)|technical|from|familiar with|based|responsible)|i (?:don't|do not|can't|cannot) (?:know (?!why|what|how|if|whether|where|which|who|that|the|this|yet|when)|speak|read|write|code|program)|i(?: have|'ve) (?:a (?:degree|background|phd|master|team|daltonism)|been (?:working|with|a|an|in|at|here for)|worked|never (?:written|used|learned|worked|studied|been)|no (?:experience|background|idea of sql)|\w+ years? of|dyslexia))\b/,
  new RegExp(`\\bmy (?:[\\p{L}-]+ )?(?:${THINGS}) (?:[\\p{L}'-]+ ){0,3}?${PRESENT}\\b`, 'u'),
  new RegExp(`\\bwe (?:also |mainly |mostly |usually |only |all )?(?:${WE_VERBS})\\b`, 'u'),
  new RegExp(`\\bour (?!(?:[\\p{L}-]+ )?(?:${FIGURES})\\b)(?:[\\p{L}'-]+ ){1,4}?${PRESENT}\\b`, 'u'),
  /^as an? (?!result|rule|consequence|reminder|test|start|first|next|side|matter|whole|percentage|table|chart|list)[\p{L} -]{3,40}, (?:i|we)\b/u,
  // German
  /\bich (?:bin (?!mir|nicht|gerade|dabei|auf der suche|neugierig|sicher|unsicher|froh|gespannt|noch|schon|so|sehr|mude|gleich|bereit|fertig|zufrieden|dafur|hier|im (?:meeting|urlaub|stress|moment|buro|home)|am (?!standort))|heisse|arbeite (?!gerade|an |daran)|leite|wohne|lebe|verantworte|bevorzuge|mag (?!das|die|den|dieses|diese|es|diesen)|betreue|spreche|komme aus|fuhre|berichte an|programmiere|verwende (?!die|das|diese)|nutze (?!die|das|diese)|habe (?:noch nie|einen abschluss|keine erfahrung|\w+ jahre))\b/,
  /\b(?:mein name ist|nenn mich|mein\w* (?:team|firma|abteilung|rolle|zeitzone|sprache|muttersprache|region|stelle|beruf|titel|buro|markt|unternehmen) \p{L}+)/u,
  /\bwir (?:sind (?!uns|nicht|gerade|dabei|spat|mude|fertig|bereit|froh|sicher|zu|sehr|im|am|in der)|nutzen|verwenden|benutzen|verkaufen|arbeiten mit|liefern|produzieren|exportieren|haben (?:keine|zwei|drei|vier|funf|mehrere|filialen|standorte)|nennen|definieren|zahlen)\b/,
  new RegExp(
    `\\bunsere?r? (?!(?:${FIGURES})\\b)(?:[\\p{L}-]+ ){1,3}?(?:ist|sind|beginnt|startet|endet|hat|haben|nutzt|verwendet|schliesst|offnet|liegt|heisst|besteht|betreut|arbeitet)\\b`,
    'u',
  ),
  // French
  /\b(?:je suis (?!en (?:train|reunion|retard|vacances|attente)|sur le point|pas|desolee?|sure?|content\w*|perdue?|d'accord|curieu\w*|encore|la\b)|je m'appelle|j'habite|j'utilise (?!le|la|les|ce)|mon nom est|appelle-moi|je (?:travaille (?!sur)|dirige|gere|habite|vis|prefere|parle|couvre|viens de|m'occupe de|code|n'ai jamais \p{L}+))/u,
  /\b(?:nous (?:sommes (?!en train|pas)|utilisons|vendons|travaillons|livrons|produisons|avons (?:deux|trois|quatre|cinq|plusieurs|des magasins))|on utilise|on vend)\b/,
  new RegExp(
    `\\b(?:mon|ma|notre) (?!(?:${FIGURES})\\b)(?:[\\p{L}-]+ ){1,3}?(?:est|sont|utilise|commence|debute|finit|ferme|ouvre|s'occupe|gere|couvre|travaille|vend)\\b`,
    'u',
  ),
  // Spanish
  /(?:^|[,;.:] |\b(?:yo|y|pero) )(?:soy (?!yo|consciente)|trabajo (?:en (?!ello|esto|eso|el informe)|como|para|con)|dirijo|gestiono|vivo en|prefiero|hablo|programo|lidero|llevo \p{L}+ anos|me llamo|me encargo de|somos|usamos|utilizamos|vendemos|trabajamos|tenemos (?:dos|tres|cuatro|cinco|varias|varios))\b/u,
  /\b(?:mi nombre es|llamame)\b/,
  new RegExp(
    `\\b(?:mi|nuestr[oa]) (?!(?:${FIGURES})\\b)(?:[\\p{L}-]+ ){1,3}?(?:es|son|usa|utiliza|empieza|comienza|termina|cierra|abre|se encarga|gestiona|vende|esta en)\\b`,
    'u',
  ),
]
