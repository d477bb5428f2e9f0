import type { PersonalKind } from './kinds.ts'
import { nameWords } from './name-words.ts'
import { subjectOfWord, type Subject } from './table-subject.ts'

interface NameRule {
  readonly kind: PersonalKind
  readonly pattern: RegExp
  /** The rule applies only if rows represent one of these; `undefined` is an unknown table. */
  readonly only?: readonly (Subject | undefined)[]
  /** An ending that marks the column as metadata about the value: `email_sent`, `phone_type`. */
  readonly plainEnding?: RegExp
}

const ABOUT =
  /(?:^|_)(?:count|cnt|sent|verified|confirmed|valid|validated|opt|optin|optout|in|out|at|on|date|time|ts|timestamp|template|subject|status|state|type|kind|enabled|disabled|flag|pct|rate|opens?|clicks?|provider|campaign|format|length|len|consent|allowed|domain|body|language|lang|preferences?|frequency|ids?|fk|key|code|cost|amount|total|sum|avg|score|category|class|level|version|brand|network|attempts|source|group|label|required|change|changed|updated|created|reason|rank|purpose|suffix|prefix|name_type|uuid|hash_type|direction|usage)$/
// A place for letters is an address.
const BY_POST = String.raw`(?:^|_)mail(?:ing)?_(?:street|str|city|town|state|county|country|zip|postcode|line|box|stop|abr)(?:_\w+)?$`
const ABOUT_IP = /(?:^|_)(?:country|city|region|version|type|range|asn|count|whitelist|allowlist|prefix|ids?)$/
const ABOUT_ID =
  /(?:^|_)(?:count|verified|valid|at|date|status|type|country|expir[a-z]*|issued|issuer|flag|required|upload[a-z]*)$/
const WHETHER =
  /^(?:is|has|num|count|allow|allows|can|should|enable|max|min|avg|total|n|no_of|use|uses|send|include|with)_/
const PERSONS: readonly (Subject | undefined)[] = ['person']
const NOT_BUSINESS: readonly (Subject | undefined)[] = ['person', undefined]
const NOT_MACHINES: readonly (Subject | undefined)[] = ['person', 'company', 'place', 'thing', undefined]

/** In order: the first match counts. Words are joined by `_`; `~` is the beginning or end of a word. */
const RULES: readonly NameRule[] = [
  rule(
    'e-mail',
    '[a-z]*e_?mail[a-z]*~(?:.*)|~(?:[a-z]*mail|mail_?(?:addr|address|adresse)|correo|courriel|posta_?elettronica|imel|epost|邮箱|电子邮件|メール|이메일|почта)~',
    { plainEnding: new RegExp(`${ABOUT.source}|${BY_POST}`) },
  ),
  rule(
    'device id',
    '~(?:mac|mac_?addr(?:ess)?|imei|idfa|gaid|aaid|idfv|advertising_?id|android_?id|udid|imsi|iccid|device_?(?:fingerprint|serial))~',
    { only: NOT_MACHINES },
  ),
  rule('device id', '~device_?(?:id|uuid)~', { only: PERSONS }),
  rule(
    'IP',
    '~(?:client|visitor|user|login|signup|customer|member|session|author)_?(?:ip|ips|ip_?addr(?:ess)?|addr)~',
    {
      plainEnding: ABOUT_IP,
    },
  ),
  rule('IP', '~(?:ip|ips|ipv|ip_?addr(?:ess)?|remote_?addr|remote_?host|client_?addr|x_forwarded_for)~', {
    only: NOT_MACHINES,
    plainEnding: ABOUT_IP,
  }),
  rule(
    'card',
    '~(?:card|cc|creditcard|credit_card|kreditkarte|karten|carte|tarjeta|carta|debit_card)_?(?:number|no|nr|num|nummer|pan|numero|last_?four|last|digits)~|~(?:creditcard|credit_card|cvv|cvc|cvv2|cvc2|card_?pin|pan_number|last_?four|kreditkartennummer|ccn|ccnum)~',
    { plainEnding: /(?:type|brand|name|limit|count|flag|id)$/ },
  ),
  rule('IBAN', '~iban[a-z]*~'),
  rule(
    'account',
    '~(?:bank_?account|bank_?acct|bankaccount|bank_?konto|konto_?(?:nr|nummer|no)|kontonummer|acct_?(?:no|num|nbr)|account_?(?:no|nr|num|number)|sort_?code|routing_?(?:no|number)|numero_?(?:de_)?(?:compte|cuenta)|rib|cuenta_?bancaria|clabe|depot_?nummer)~',
    { plainEnding: /(?:type|status|id|at|count|currency)$/ },
  ),
  rule(
    'birth',
    '~(?:dob|d_o_b|birth|births|birthday|birthdate|birth[a-z]*|born|yob|geb|geb_?dat(?:um)?|geburt[a-z]*|geboortedatum|naissance|nacimiento|nascita|nascimento|date_?de_?naissance|urodz[a-z]*|data_?ur|出生日期|生日|生年月日|생년월일|рождения)~',
    { plainEnding: /(?:count|rate|weight|name|gift|sent|discount|coupon)$/ },
  ),
  rule(
    'passport',
    '[a-z]*passport[a-z]*~|~(?:reisepass[a-z]*|pass_?(?:nr|nummer|no)|passeport|pasaporte|passaporto|paszport|paspoort[a-z]*|护照)~',
    { plainEnding: ABOUT_ID },
  ),
  rule(
    'driving licence',
    '~(?:driv(?:ing|ers?|er_s)_?licen[cs]e|dl_?(?:no|num|number)|fuehrerschein[a-z]*|fuhrerschein[a-z]*|permis_?(?:de_)?conduire|licencia_?(?:de_)?conducir|patente|rijbewijs[a-z]*|prawo_?jazdy)~',
    { plainEnding: ABOUT_ID },
  ),
  rule(
    'plate',
    '~(?:licen[cs]e_?plate|plate_?(?:no|nr|num|number)|number_?plate|licence_?number_?plate|kfz_?kennz[a-z]*|kennzeichen|immatriculation|matricula|targa|kenteken|vehicle_?reg(?:istration)?|reg_?plate|plates?)~',
    { plainEnding: ABOUT },
  ),
  rule(
    'national id',
    '~(?:ssn|ssnr|social_?sec[a-z]*|social_?insurance[a-z_]*|soc_?sec[a-z_]*|sozialvers[a-z_]*|sv_?(?:nr|nummer)|svnr|rentenvers[a-z_]*|national_?(?:id|ins|insurance|number|identity)[a-z_]*|nat_?id|nationalid|nid|nino|ni_?(?:no|number)|personal_?(?:id|number|code)|person_?(?:nr|nummer)|personnummer|pers_?nr|fodselsnummer|cpr|id_?card[a-z_]*|ident(?:ity)?_?(?:card|document|no|number)[a-z_]*|ausweis[a-z_]*|perso_?nr|dni|nie|nif|curp|rfc|cedula|rut|cpf|rg|pesel|bsn|burgerservicenummer|aadha+r[a-z_]*|pan_?(?:no|card)|codice_?fiscale|cod_?fisc(?:ale)?|cf|nir|insee_?(?:no|number)|num_?secu[a-z_]*|numero_?securite[a-z_]*|secu|rodne_?cislo|egn|cnp|oib|jmbg|ahv[a-z_]*|avs|sin|tfn|nhs_?(?:no|number)|medicare[a-z_]*|krankenvers[a-z_]*|kvnr|身份证[\\p{L}]*|주민등록번호)~',
    { plainEnding: ABOUT_ID },
  ),
  rule(
    'national id',
    '~(?:tax_?(?:id|no|nr|num|number|payer_?id)|taxid|tin|itin|steuer_?(?:id|nr|nummer|ident[a-z_]*)|idnr|tax_?identification[a-z_]*|numero_?fiscal[a-z]*|inn)~',
    { only: NOT_BUSINESS },
  ),
  rule(
    'username',
    '~(?:username|user_?name|login|login_?name|loginid|login_?id|user_?handle|handle|nick|nickname|nick_?name|screen_?name|benutzername|anmeldename|identifiant|usuario|nombre_?usuario|nome_?utente|gebruikersnaam|twitter|instagram|telegram|skype|facebook|linkedin|github_?(?:user|login|handle)|slack_?(?:user|handle)|discord|wechat|用户名)~',
    {
      plainEnding:
        /(?:count|at|date|time|ts|status|type|attempts|url_count|enabled|method|provider|_?id|streak|url|verified|failures)$/,
    },
  ),
  rule(
    'phone',
    '~(?:[a-z]*phone[a-z]*|[a-z]*telef[a-z]*|tel|tel_?(?:no|nr|num|number)|telno|telnr|tlf|telnum|mobile?|mobiles|mobil_?(?:nr|nummer)|mobil[a-z]*|mobile[a-z]*|cell|cellular|msisdn|fax|fax_?(?:no|nr|number)|telefax|handy|handy_?(?:nr|nummer)|rufnummer|portable|movil|celular|cellulare|whats_?app|sms_?(?:no|number|to)|gsm|durchwahl|电话|手机[\\p{L}]*|電話[\\p{L}]*|전화[\\p{L}]*|телефон)~(?:(?:no|nr|num|number|nummer|home|work|mobile|cell|privat|gesch|office|primary|secondary|alt|raw|e|ext|full|intl|normalized)~)*',
    { plainEnding: new RegExp(`${ABOUT.source}|(?:^|_)(?:name|model|os|carrier)$`) },
  ),
  rule(
    'name',
    '~(?:fname|f_name|lname|l_name|mname|m_name|first_?(?:nm|name|names)|last_?(?:nm|name|names)|middle_?(?:name|initial)|given_?names?|fore_?names?|sur_?names?|family_?names?|maiden_?names?|birth_?name|full_?(?:nm|name)|fullname|vor_?name|nach_?name|familien_?name|geburts_?name|ruf_?name|prenoms?|nom_?(?:de_)?(?:famille|jeune_fille|complet|client|prenom)|nombres?_?(?:completo|cliente|pila)|primer_?nombre|apellidos?|cognome|nome_?(?:completo|cliente)|sobrenome|voornaam|achternaam|tussenvoegsel|imie|nazwisko|imie_?i_?nazwisko|jmeno|prijmeni|fornavn|etternavn|efternamn|fornamn|mothers?_?(?:maiden_?)?name|fathers?_?name|spouse(?:_?name)?|next_?of_?kin[a-z_]*|emergency_?contact[a-z_]*|preferred_?name|legal_?name_?person|姓名|氏名|名字|이름|성명|имя|фамилия|отчество|фио)~',
    { plainEnding: /(?:^|_)(?:count|length|len|ids?|type|changed|at|source|rank|phonetic_code|flag|verified)$/ },
  ),
  rule(
    'name',
    '~(?:customer|client|employee|patient|person|user|member|student|teacher|guest|passenger|contact|owner|holder|card_?holder|account_?holder|driver|author|buyer|recipient|sender|consignee|ship_?to|bill_?to|shipping|billing|beneficiary|applicant|candidate|tenant|insured|doctor|physician|nurse|agent|manager|supervisor|sales_?rep|salesperson|rep|responsible|assignee|approver|signer|signatory|reviewer|attendee|participant|donor|subscriber|kunden|mitarbeiter|empfaenger|inhaber|konto_?inhaber|ansprechpartner|kontakt|parent|guardian|child|witness|payer|payee|referrer|instructor|staff)_?(?:nm|name|names|fullname|full)~|~(?:cardholder|card_?holder|account_?holder|kontoinhaber|ansprechpartner|titulaire)~',
    { plainEnding: /(?:^|_)(?:count|length|ids?|type|at|flag)$/ },
  ),
  rule(
    'name',
    '(?:^|^(?:c|cu|cust|customer|cl|cli|client|u|usr|user|e|emp|employee|p|pe|per|pers|person|pat|pt|patient|m|mem|mbr|member|s|st|stu|student|k|kd|kunden|krb|contact|n|own|agent|staff)_)(?:name|names|nm|nom|nombre|nome|naam|nazwa|navn|namn|namen|who|display_name)$',
    {
      only: PERSONS,
    },
  ),
  rule(
    'whereabouts',
    '~(?:home|residence|user|customer|person|patient|last_?known|current|delivery|gps)_?(?:lat|lon|lng|long|latitude|longitude|coord[a-z]*|location|geo[a-z]*|position)~',
  ),
  rule(
    'whereabouts',
    '~(?:lat|lon|lng|long|latitude|longitude|coords?|coordinates|geo_?(?:point|location)|gps|breitengrad|laengengrad)~',
    { only: PERSONS },
  ),
  rule(
    'address',
    '~(?:street|streets|str|strasse|strassen|street_?(?:addr|address|name|line|no|number)|address_?line|addr_?line|home_?addr(?:ess)?|post_?anschrift|anschrift|wohnort_?strasse|hausnummer|haus_?nr|hnr|house_?(?:no|nr|number)|rue|calle|via|indirizzo|direccion|domicilio|domicile|endereco|logradouro|straat|huisnummer|adres|ulica|postal_?addr(?:ess)?|residential_?addr(?:ess)?|mailing_?addr(?:ess)?|shipping_?addr(?:ess)?|billing_?addr(?:ess)?|delivery_?addr(?:ess)?|ship_?addr(?:ess)?|bill_?addr(?:ess)?|lieferadresse|rechnungsadresse|住所|地址|주소|адрес)~(?:(?:line|no|nr|one|two|a|b|full|text|raw)~)*',
    { only: NOT_BUSINESS, plainEnding: ABOUT },
  ),
  rule('address', '~(?:addr|address|addresses|adresse|adr)~(?:(?:line|one|two|full|text|raw|home|work)~)*', {
    only: NOT_BUSINESS,
    plainEnding:
      /(?:^|_)(?:ids?|fk|key|type|kind|status|count|verified|valid|at|date|code|hash|wallet|contract|url|web|memory|label|country|city)$|wallet|contract|web|url|memory|host|token|blockchain|crypto|eth|btc|reply|return_to|form_of|peer|pci/,
  }),
  rule(
    'address',
    '~(?:zip|zip_?code|zipcode|postal_?code|postcode|post_?code|plz|postleitzahl|code_?postal|cp|codigo_?postal|cap|cep|postnummer|kod_?pocztowy)~',
    { only: PERSONS },
  ),
  rule(
    'sensitive',
    '~(?:gender|sex|geschlecht|sexe|sexo|sesso|genre|religion|konfession|faith|race|ethnic[a-z]*|ethnie|nationality|staatsangehoerigkeit|marital[a-z_]*|familienstand|disabilit[a-z]*|behinderung|blood_?(?:type|group)|blutgruppe|diagnos[a-z]*|health[a-z_]*|medical[a-z_]*|allerg[a-z]*|illness|disease|krankheit|medication|prescription|hiv[a-z_]*|pregnan[a-z]*|sexual[a-z_]*|orientation|political[a-z_]*|party_?membership|union_?member[a-z]*|criminal[a-z_]*|conviction|pronouns)~',
    // A race with an id is a competition.
    { only: PERSONS, plainEnding: /(?:^|_)race_(?:ids?|key|no|nr|number|name|date|type|time)$/ },
  ),
  rule(
    'sensitive',
    '~(?:patient|employee|customer|user|member|insured)_?(?:gender|sex|diagnosis|religion|ethnicity|health[a-z]*|disability|nationality|race)~|~(?:blood_?(?:type|group)|icd_?(?:9|10)?_?code|religion|ethnicity|sexual_?orientation|marital_?status|hiv_?status)~',
    { only: NOT_BUSINESS },
  ),
  rule(
    'pay',
    '~(?:salary|salaries|wage|wages|[a-z]*gehalt[a-z]*|[a-z]*lohn|salaire|sueldo|salario|stipendio|remuneration|compensation|net_?pay|gross_?pay|base_?pay|annual_?pay|hourly_?rate|bonus|income|einkommen|net_?worth|credit_?score|schufa[a-z_]*)~',
    { only: PERSONS, plainEnding: /(?:^|_)(?:grade|band|type|currency|period|ids?|at|date)$/ },
  ),
]

/** The kind of personal data implied by a column name, in a table with rows about `subject`. */
export function personalByName(column: string, subject: Subject | undefined): PersonalKind | undefined {
  const name = nameWords(column).join('_')
  if (WHETHER.test(name)) return undefined
  const kind = RULES.find(
    ({ pattern, only, plainEnding }) =>
      (only === undefined || only.includes(subject)) && pattern.test(name) && plainEnding?.test(name) !== true,
  )?.kind
  return kind === 'name' && ofThing(column) ? undefined : kind
}

/** Whether a column usually contains people's names or logins; it is personal if its values look like them. */
export const mayNameSomebody = (column: string): boolean => MAY_NAME.test(nameWords(column).join('_'))

const MAY_NAME =
  /(?:^|_)(?:holder|recipient|signatory|signee|inhaber|inh|empfaenger|absender|sender|person|contact|kontakt|ansprechpartner|consignee|owner|author|reviewer|assignee|approver|requester|reporter|salesperson|rep|manager|(?:signed|received|accepted|approved|created|updated|modified|changed|entered|checked|handled|reviewed|assigned|ordered|requested|sold|written|posted)_(?:by|to))$/

/** Whether a log or record column may contain the acting user. */
export const mayBeLogin = (column: string): boolean => MAY_LOG_IN.test(nameWords(column).join('_'))

const MAY_LOG_IN =
  /(?:^|_)(?:usr|user|benutzer|bearbeiter|sachbearbeiter|erfasser|operator|(?:created|updated|modified|changed|entered|inserted|deleted)_by)$/

/** `room_full_name` is never a person's name. */
const ofThing = (column: string): boolean =>
  nameWords(column).some((word) => {
    const subject = subjectOfWord(word)
    return subject !== undefined && subject !== 'person'
  })

/** Whether a column identifies the rows as people, whatever the table name. */
export const saysPerson = (column: string): boolean =>
  PEOPLE.has(personalByName(column, undefined) ?? '') ||
  /^(?:gender|sex|geschlecht|employee_id|patient_id)$/i.test(column)

const PEOPLE: ReadonlySet<string> = new Set([
  'birth',
  'name',
  'national id',
  'passport',
  'driving licence',
  'e-mail',
  'phone',
])

function rule(kind: PersonalKind, words: string, more: Omit<NameRule, 'kind' | 'pattern'> = {}): NameRule {
  return { kind, pattern: new RegExp(words.replaceAll('~', '(?:^|_|$)'), 'u'), ...more }
}
