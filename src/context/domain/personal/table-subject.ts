import { nameWords } from './name-words.ts'

/** Kind of thing in the rows of a table, according to its name. */
export type Subject = 'person' | 'company' | 'place' | 'machine' | 'thing'

const NEUTRAL = new Set(
  (
    'dim fact fct tbl table tab t v vw view mv stg staging raw src int mart base master data details detail info infos record records list lists hist history ' +
    'archive archived backup bak copy tmp temp snapshot current new old import export imports exports profile profiles all latest log daily monthly stammdaten daten public x'
  ).split(' '),
)

const SUBJECTS: readonly (readonly [Subject, RegExp])[] = [
  [
    'person',
    of(
      'customer client consumer user faculty instructor lecturer employee staff contact patient people person member student teacher pupil guest visitor passenger subscriber lead candidate applicant donor tenant borrower ' +
        'insured beneficiary attendee participant author driver owner worker resident citizen voter parent child children cardholder buyer shopper player recipient recruit personnel signup ' +
        'physician doctor nurse agent salesperson rep hr crm kunde mitarbeiter benutzer nutzer personen mitglied mitglieder ansprechpartner schueler patienten bewerber empfaenger fahrer ' +
        'utilisateur employe salarie personne membre adherent abonne cliente usuario empleado persona paciente contacto miembro alumno persone utente dipendente impiegato contatto klant medewerker ' +
        'gebruiker persoon lid klient uzytkownik pracownik osoba pessoa funcionario ' +
        'pers personal vertreter vertr ansp mitarb kund cust usr emp empl',
    ),
  ],
  [
    'company',
    of(
      'company companies supplier vendor organization organisation org firm merchant partner manufacturer publisher institution business carrier dealer distributor lieferant firma unternehmen ' +
        'fournisseur societe entreprise proveedor empresa azienda fornitore bank employer university school',
    ),
  ],
  [
    'place',
    of(
      'store shop warehouse branch branches office location hotel restaurant site facility facilities airport station venue city cities country countries region state province county depot plant ' +
        'filiale standort lager magasin tienda negozio campus building room floor property properties listing stadt land land pays pais paese',
    ),
  ],
  [
    'machine',
    of(
      'host server node cluster network subnet dns firewall machine vm interface endpoint router switch instance proxy pod container gateway loadbalancer domain ip sensor printer appliance infra',
    ),
  ],
  [
    'thing',
    of(
      'product category categories item sku article artikel produkt tag plan feature currency currencies language brand model part project campaign channel department departement abteilung song album track ' +
        'film movie book game course service package role permission status type group team file document page dataset table column job task skill material recipe ingredient species drug medication unit metric ' +
        'kategorie producto categoria produit prodotto',
    ),
  ],
]

/**
 * Determined by the last meaningful word: `dim_customer_2024` is about customers, `customer_orders` about orders. An
 * address belongs to the word before it. Network columns make a table one of machines.
 */
export function subjectOf(table: string, columns: readonly string[] = []): Subject | undefined {
  const words = nameWords(table).filter((word) => !NEUTRAL.has(word))
  const known = words.map(subjectOfWord)
  const last = /^(?:address|anschrift|adress|direccion)/.test(words.at(-1) ?? '')
    ? (known.slice(0, -1).findLast((one) => one !== undefined) ?? 'person')
    : known.at(-1)
  if (!known.includes('person') && words.some((word) => NETWORK.test(word))) return 'machine'
  return last !== 'machine' && columns.some((name) => nameWords(name).some((word) => WIRED.test(word)))
    ? 'machine'
    : last
}

export const subjectOfWord = (word: string): Subject | undefined =>
  SUBJECTS.find(([, pattern]) => pattern.test(word))?.[0]

const NETWORK =
  /^(?:ips?|(?:ipam|ipsec|ipalloc|ipavail|vlan|vxlan|vpn|bgp|dhcp|dns|subnet|router|firewall|hypervisor|loadbalancer|floatingip)[a-z]*|lbaas|nat|pci|vms?|ports?|hosts?|nodes?|pods?|infra|macs?)$/
const WIRED = /^(?:vlan|vxlan|subnet|cidr|netmask|mtu|hypervisor|dhcp|bgp|nic|vnic|fqdn|pci|iface)$/

function of(words: string): RegExp {
  return new RegExp(`^(?:${words.replaceAll(' ', '|')})(?:s|es|n|en|e)?$`)
}
