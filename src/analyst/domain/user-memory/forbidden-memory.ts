import { maskText } from '../../../context/domain/personal/mask-text.ts'
import { redactSecrets } from '../../../kernel/domain/secrets/redact.ts'
import { findHidden } from '../../../kernel/domain/trust/visible.ts'
import { folded, isNegated } from './content-words.ts'

/** Returns why a text must never become a memory, from any source; undefined if it may. */
export function whyForbidden(text: string): string | undefined {
  if (findHidden(text) !== undefined) return 'it holds characters that nobody sees'
  if (text.includes('[redacted]') || redactSecrets(text).count > 0) return 'it holds a secret'
  if (maskText(text, KEPT_KINDS).kinds.length > 0 || hasAddress(text)) return 'it holds personal data or an address'
  const said = folded(text)
  if (SECRETS.test(said)) return 'it is about secrets'
  if (TOOLS.test(said) || TOOL_NAME.test(text)) return 'it orders tools or commands'
  if (SENDING.test(said)) return 'it orders something to be sent elsewhere'
  if (GUARDS.test(said) && (isNegated(said) || LIFTS.test(said))) return 'it would lift a safeguard'
  if (OVERRULES.test(said)) return 'it would overrule the rules of the assistant or have it follow texts of others'
  if (STORES.test(said)) return 'it orders what is to be remembered'
  return undefined
}

/** A user's own name, place and work are allowed in memories. */
const KEPT_KINDS = ['name', 'address', 'username', 'personal text', 'private', 'whereabouts', 'birth'] as const

/** Checks word by word: one pattern for `a@b.c` would restart at every `@` of a long text. */
const hasAddress = (text: string): boolean =>
  /https?:\/\/|www\./i.test(text) ||
  text.split(/\s+/).some((word) => {
    const at = word.indexOf('@', 1)
    return at > 0 && word.lastIndexOf('.', word.length - 2) >= at + 2
  })

const SECRETS =
  /\b(?:pass ?words?|passphrases?|passwort\w*|kennwort\w*|mot de passe|contrasenas?|api[- ]?keys?|access keys?|private keys?|secrets?|credentials?|tokens?|zugangsdaten|schlussel|cle api|clave api)\b/
const TOOLS =
  /\b(?:tools?|drop table|delete from|truncate table|insert into|alter table|grant all|shell|bash|sudo|curl|wget|rm -rf|mcp|function call|subprocess)\b|\b(?:execute|run|call|invoke) (?:whatever|any|every|all|the) (?:command|script|statement|tool|function|code|instruction|the readme|what)?/
/** `execute_sql`, `memory_write`: an operation name beside a verb of doing. */
const TOOL_NAME = /\b(?:call|run|execute|invoke|use the tool)\s+`?[a-z]+(?:_[a-z]+)+/i
const SENDING =
  /\b(?:send|forward|mail|e-?mail|post|upload|share|publish|leak|exfiltrate|transmit|copy)\b.{0,80}\b(?:to|at|on|with)\b|\b(?:sende\w*|schicke\w*|maile\w*|weiterleiten|leite .{0,60} weiter)\b|\b(?:envoie\w*|envoyer|transfere\w*)\b|\b(?:envia\w*|manda\w*|reenvia\w*)\b/
const GUARDS =
  /\b(?:approvals?|approve|permissions?|confirm\w*|consent|ask(?:ing)?|redact\w*|mask\w*|anonymi[sz]\w*|warnings?|freigabe\w*|genehmigung\w*|fragen|ruckfrage\w*|schwarzen|approbation|autorisation|demander|confirmation|masquer|aprobacion|permisos?|preguntar|confirmacion|ocultar|reveal|raw card|card numbers?)\b/
const LIFTS =
  /\b(?:skip|bypass|disable|turn off|reveal|raw|umgehe\w*|deaktivier\w*|contourne\w*|desactive\w*|omite|desactiva)\b/
const OVERRULES =
  /\b(?:ignore|disregard|override|bypass|forget|break)\b.{0,40}\b(?:rules?|instructions?|prompts?|polic(?:y|ies)|guidelines?|limits?|system)\b|\bsystem prompt\b|\bsystemprompt\b|\bdeveloper mode\b|\bjailbreak\b|\badmin(?:istrator)? (?:role|mode|rights)\b|\b(?:whatever|anything|everything)\b.{0,40}\b(?:say|says|said|tells?|told|asks?|orders?|readme|file|page|mail)\b|\bobey\b|\btrust (?:the|any|all) (?:clone|files?|pages?|texts?)\b|\bignoriere (?:alle|die) (?:regeln|anweisungen)\b|\bignore[zr]? (?:toutes )?les (?:regles|instructions)\b|\bignora (?:todas )?las (?:reglas|instrucciones)\b/
const STORES =
  /\b(?:store|save|remember|memori[sz]e|keep|record)\b.{0,30}\b(?:everything|all (?:that|of|texts?|messages?)|whatever|in your memory|as a memory)\b/
