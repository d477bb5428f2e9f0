/**
 * Whether a message has no topic: a greeting, thanks, an acknowledgement, a request to go on. Every word must be one of
 * a few, so that a short look-up ("stop signal", "next steps") is not mistaken for one.
 */
export function isSmallTalk(text: string): boolean {
  if (text.length > LONGEST) return false
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  return (
    words.length <= MOST_WORDS &&
    words.every((word) => TALK.has(word) || LAUGHTER.test(word)) &&
    words.some((word) => !FILLERS.has(word))
  )
}

const LONGEST = 120
const MOST_WORDS = 12
const LAUGHTER = /^(?:(?:ha){2,}h?|(?:he){2,}|lo+l|a+h+|o+h+|h+m+|u+h+|ye+s+|ya+y+|wo+w+|he+y+|so+)$/

/** Words that only join others. Alone they are neither a message nor a topic. */
const FILLERS = new Set(
  "a an and the to it it's its is was be are am i i'm i'll you you're your we we'll me my us this that that's there of on in for with at so very much really just now then here das ist es ich du wir mir dir und der die so sehr le la les c'est ça je tu vous nous et de à très el lo es eso me te y muy".split(
    ' ',
  ),
)

const TALK: ReadonlySet<string> = new Set([
  ...FILLERS,
  ...[
    'hello hi hiya hey howdy yo greetings morning afternoon evening night good great nice fine cool awesome amazing perfect excellent brilliant lovely sweet neat wonderful fantastic super splendid superb',
    'thanks thank thx ty tysm thankyou cheers appreciate appreciated welcome please pls plz sorry apologies worries worry problem no nope nah not yes yep yeah yup ya yea sure ok okay okey k kk alright right correct exactly indeed absolutely definitely totally agreed agree true deal done got gotcha understood see saw makes make sense sounds sound looks look seems like lgtm sgtm',
    'continue proceed go ahead on keep going carry start begin do again more next step up try retry redo never mind nevermind forget wait hold moment second sec minute stop enough later soon tomorrow bye goodbye see ya take care have day weekend back well works worked working finally help helped helps helpful hope how what can could would will shall let lets all any anything else everything some one bit about think know want ready when whenever as if guess maybe perhaps love loved glad happy kind best job work way too also still please',
    "lot thing things let's bad okie dokie pasa lol haha wow oops ouch whoa hmm huh eh ah oh uh um phew yay btw imo fyi np nvm brb idk tbh asap",
    "hallo moin servus tach guten gute morgen tag abend nacht danke dankeschön vielen dank bitte gern gerne ja jo jawohl nein nee klar genau stimmt richtig passt alles gut prima toll klasse spitze perfekt wunderbar schön ok weiter mach machen weitermachen los gehts geht's noch mal einmal nochmal moment kurz warte egal tschüss ciao bis später bald dann okay einverstanden verstanden super nichts kein keine problem wie geht dir",
    "bonjour salut bonsoir coucou merci beaucoup mille bien oui non ouais d'accord dac ok parfait super génial top cool nickel très bon bonne journée soirée continue continuez continuer vas y allez vas-y allons stp svp s'il plaît te vous pas de souci problème désolé pardon attends attendez instant minute au revoir à bientôt demain plus tard encore exactement entendu compris ça va marche comment rien grave",
    'hola buenas buenos días tardes noches gracias muchas mil por favor de nada sí si no vale claro perfecto genial estupendo bien bueno buena muy excelente ok listo correcto exacto entendido continúa continua sigue siga seguir adelante dale venga vamos otra vez espera momento un segundo perdón lo siento adiós hasta luego mañana pronto qué tal está cómo todo nada',
  ].flatMap((line) => line.split(' ')),
])
