import { int, made, of, pick, ref, spelled, table, text, textDate, who, type Column, type Join } from './define.ts'

const NO_KEY = { key: [] }
const join = (column: string, to: string, toColumn = column): Join => ({
  columns: [column],
  to,
  toColumns: [toColumn],
  declared: false,
  cardinality: 'n:1',
})
const nr = (first: number): Column => made('integer', ({ i }) => first + i)
const undeclared = { declared: false }

/** The system before 2021, copied unchanged: no keys, short German names, meanings in a table of codes. */
export const LEGACY = [
  table(
    'legacy.wgr',
    8,
    'Warengruppen',
    {
      wgr: made('char(2)', ({ i }) => `0${i + 1}`),
      bez: text(
        ({ i }) => ['Leuchten', 'Regale', 'Stühle', 'Werkzeug', 'Garten', 'Büro', 'Ersatzteile', 'Sonstiges'][i]!,
      ),
    },
    NO_KEY,
  ),
  table(
    'legacy.vertr',
    25,
    'Vertreter',
    {
      vnr: nr(301),
      f_01: who('name'),
      geb: made('text', ({ who }) => spelled('DD.MM.YYYY', who.values['birth date']), { none: 0.1 }),
      geb_cd: pick(['N', 'S', 'W', 'O'], { about: 'Gebiet: N = Nord, S = Süd, W = West, O = Ost' }, 'char(1)'),
    },
    NO_KEY,
  ),
  table(
    'legacy.kunden',
    640,
    'Kundenstamm bis 2021',
    {
      kdnr: nr(10_001),
      f_01: text(({ who }) => who.values.name, { about: 'Name' }),
      f_02: who('address'),
      f_03: text(({ who }) => who.postcode),
      f_04: text(({ who }) => who.city),
      stat_cd: made('char(1)', ({ i, next }) => 'AIGX'[i < 4 ? i : Math.floor(next() ** 2 * 4)]!),
      kgrp: pick(
        ['01', '02', '03', '99'],
        { about: 'Kundengruppe: 01 = Handel, 02 = Handwerk, 03 = Privat, 99 = unbekannt' },
        'char(2)',
      ),
      dt_anl: textDate('DD.MM.YYYY', '1998-03-02', '2020-12-18', { about: 'angelegt am' }),
      dt_upd: made(
        'integer',
        ({ i, next }) =>
          i < 2
            ? [20_100_104, 20_201_231][i]!
            : next() < 0.1
              ? 0
              : Number(
                  `20${10 + Math.floor(next() * 10)}0${1 + Math.floor(next() * 9)}${10 + Math.floor(next() * 18)}`,
                ),
        { about: 'letzte Änderung, JJJJMMTT; 0 = nie' },
      ),
    },
    NO_KEY,
  ),
  table(
    'legacy.ansp',
    300,
    undefined,
    {
      lfd: nr(1),
      kdnr: ref('legacy.kunden.kdnr', { ...undeclared, orphans: 0.02 }),
      f_01: who('name'),
      f_02: who('phone', { none: 0.2 }),
      f_03: who('email', { none: 0.4 }),
    },
    NO_KEY,
  ),
  table(
    'legacy.artst',
    500,
    'Artikelstamm',
    {
      artnr: made('char(8)', ({ i }) => `ART${String(i + 1).padStart(5, '0')}`),
      bez: text(({ i }) => `Artikel ${['Leuchte', 'Regal', 'Stuhl', 'Bohrer'][i % 4]!} ${i + 1}`),
      wgr: ref('legacy.wgr.wgr', { ...undeclared, type: 'char(2)' }),
      ek: int(80, 64_000, { about: 'Einkaufspreis in Cent' }),
      vk: int(150, 149_000, { about: 'Verkaufspreis in Cent' }),
      sperr_kz: pick([0, 1], { about: '1 = gesperrt' }),
      art_neu: made('text', ({ i }) => `SKU-${String(i + 1).padStart(5, '0')}`, { none: 0.2 }),
    },
    { ...NO_KEY, joins: [join('art_neu', 'pim.product_variants', 'sku')] },
  ),
  table(
    'legacy.auftr',
    1500,
    'Aufträge bis 2021',
    {
      aufnr: nr(700_001),
      kdnr: ref('legacy.kunden.kdnr', { ...undeclared, orphans: 0.01 }),
      vnr: ref('legacy.vertr.vnr', { ...undeclared, none: 0.2 }),
      stat_cd: made('char(1)', ({ i, next }) => 'SAFX'[i < 4 ? i : Math.floor(next() ** 1.5 * 4)]!),
      dt_auf: textDate('YYYYMMDD', '2012-01-03', '2020-12-30'),
      amt_n: int(900, 650_000, { about: 'Netto in Cent' }),
      amt_b: int(1_071, 773_500, { about: 'Brutto in Cent' }),
      waehr: pick(['EUR', 'CHF'], {}, 'char(3)'),
    },
    NO_KEY,
  ),
  table(
    'legacy.aufpos',
    3000,
    undefined,
    {
      aufnr: made('integer', ({ i }) => 700_001 + (i % 1500)),
      pos: made('smallint', ({ i }) => 10 * (1 + Math.floor(i / 1500))),
      artnr: ref('legacy.artst.artnr', { ...undeclared, type: 'char(8)' }),
      mng: int(1, 40),
      ep: int(150, 149_000, { about: 'Einzelpreis in Cent' }),
      rab: int(0, 35, { about: 'Rabatt in Prozent' }, 'smallint'),
    },
    { ...NO_KEY, joins: [join('aufnr', 'legacy.auftr')] },
  ),
  table(
    'legacy.fakt',
    1300,
    'Rechnungen',
    {
      fnr: nr(3_000_001),
      aufnr: ref('legacy.auftr.aufnr', undeclared),
      dt_f: textDate('DD.MM.YYYY', '2012-01-09', '2021-01-15'),
      amt_b: int(1_071, 773_500, { about: 'Cent' }),
      stat_cd: made('char(1)', ({ i, next }) => 'BOTS'[i < 4 ? i : Math.floor(next() ** 1.5 * 4)]!),
    },
    NO_KEY,
  ),
  table(
    'legacy.faktpos',
    1800,
    undefined,
    {
      fnr: made('integer', ({ i }) => 3_000_001 + (i % 1300)),
      lfd: made('smallint', ({ i }) => 1 + Math.floor(i / 1300)),
      aufnr: of('legacy.aufpos.aufnr'),
      pos: of('legacy.aufpos.pos', 'smallint'),
    },
    {
      ...NO_KEY,
      joins: [
        join('fnr', 'legacy.fakt'),
        {
          columns: ['aufnr', 'pos'],
          to: 'legacy.aufpos',
          toColumns: ['aufnr', 'pos'],
          declared: false,
          cardinality: 'n:1',
        },
      ],
    },
  ),
  table(
    'legacy.zahl',
    1100,
    'Zahlungseingänge',
    {
      znr: nr(1),
      f_02: ref('legacy.fakt.fnr', undeclared),
      dt_z: textDate('YYYYMMDD', '2012-01-20', '2021-03-30'),
      betr: made(
        'text',
        ({ i, next }) => `${(i < 2 ? [10, 7_700][i]! : 10 + next() * 7_600).toFixed(2).replace('.', ',')}`,
        { about: 'Euro, mit Komma' },
      ),
    },
    NO_KEY,
  ),
  table(
    'legacy.mahn',
    260,
    undefined,
    {
      rechnr: ref('legacy.fakt.fnr', undeclared),
      stufe: pick([1, 2, 3]),
      dt_m: textDate('DD.MM.YYYY', '2012-03-01', '2021-02-26'),
    },
    NO_KEY,
  ),
  table(
    'legacy.kto',
    300,
    'Bankverbindungen',
    {
      kdnr: ref('legacy.kunden.kdnr', undeclared),
      inh: who('name'),
      ktonr: who('iban'),
    },
    NO_KEY,
  ),
  table(
    'legacy.lief',
    60,
    'Lieferanten',
    {
      linr: nr(5_001),
      f_01: text(({ i }) => `${['Holz Union', 'Metall Süd', 'Licht AG'][i % 3]!} ${i}`),
      land: pick(['D', 'A', 'CH', 'PL', '??'], { about: '?? = unbekannt' }),
    },
    NO_KEY,
  ),
  table(
    'legacy.best',
    300,
    'Bestellungen',
    {
      bnr: nr(80_001),
      linr: ref('legacy.lief.linr', undeclared),
      dt_best: textDate('YYYYMMDD', '2013-01-07', '2020-11-30'),
      stat_cd: pick(['O', 'G', 'X'], {}, 'char(1)'),
    },
    NO_KEY,
  ),
  table(
    'legacy.bestpos',
    700,
    undefined,
    {
      bnr: made('integer', ({ i }) => 80_001 + (i % 300)),
      pos: made('smallint', ({ i }) => 10 * (1 + Math.floor(i / 300))),
      artnr: ref('legacy.artst.artnr', { ...undeclared, type: 'char(8)' }),
      mng: int(10, 900),
    },
    { ...NO_KEY, joins: [join('bnr', 'legacy.best')] },
  ),
  table(
    'legacy.lgbst',
    600,
    'Lagerbestand zum Stichtag 31.12.2020',
    {
      artnr: made('char(8)', ({ i }) => `ART${String(1 + (i % 500)).padStart(5, '0')}`),
      lgort: pick(['HH', 'M', 'L'], {}, 'char(2)'),
      bst: int(-4, 800, { about: 'Stück; negativ = Buchungsfehler' }),
    },
    { ...NO_KEY, joins: [join('artnr', 'legacy.artst')] },
  ),
  table(
    'legacy.kfz',
    30,
    undefined,
    {
      kennz: who('licence plate'),
      vnr: ref('legacy.vertr.vnr', undeclared),
      typ: pick(['Passat', 'Octavia', 'Focus']),
    },
    NO_KEY,
  ),
  table(
    'legacy.pers',
    120,
    'Personal (alt)',
    {
      pnr: nr(1),
      f_01: who('name'),
      f_05: who('salary', { about: 'Jahresgehalt' }, 'numeric(12,2)'),
      f_06: who('social security number'),
      f_07: who('tax id'),
      f_08: made('text', ({ who }) => spelled('DD.MM.YYYY', who.values['birth date'])),
    },
    { ...NO_KEY, eachPerson: true },
  ),
  table(
    'legacy.codes',
    CODES().length,
    'Schlüsseltabelle: was die Kürzel bedeuten',
    {
      tab: text(({ i }) => CODES()[i]![0]),
      feld: text(({ i }) => CODES()[i]![1]),
      wert: text(({ i }) => CODES()[i]![2]),
      txt: text(({ i }) => CODES()[i]![3]),
    },
    NO_KEY,
  ),
  table(
    'legacy.prot',
    800,
    'Protokoll',
    {
      lfd: nr(1),
      tab: pick(['kunden', 'auftr', 'artst']),
      schl: int(1, 5_000, { about: 'interne Satznummer, kein Schlüssel' }),
      usr: who('username'),
      ts: made('bigint', ({ i, next }) => 1_325_376_000 + Math.floor((i < 2 ? i : next()) * 284e6), {
        about: 'Unixzeit in Sekunden',
      }),
    },
    NO_KEY,
  ),
  table(
    'legacy.t_0815',
    200,
    undefined,
    {
      f_01: nr(1),
      f_02: int(10_001, 10_900),
      f_03: pick(['J', 'N', '']),
      f_04: int(300, 330),
    },
    NO_KEY,
  ),
]

function CODES(): readonly (readonly [string, string, string, string])[] {
  return [
    ['kunden', 'stat_cd', 'A', 'aktiv'],
    ['kunden', 'stat_cd', 'I', 'inaktiv'],
    ['kunden', 'stat_cd', 'G', 'gesperrt'],
    ['kunden', 'stat_cd', 'X', 'gelöscht'],
    ['auftr', 'stat_cd', 'A', 'angelegt'],
    ['auftr', 'stat_cd', 'F', 'freigegeben'],
    ['auftr', 'stat_cd', 'S', 'versendet'],
    ['auftr', 'stat_cd', 'X', 'storniert'],
    ['fakt', 'stat_cd', 'O', 'offen'],
    ['fakt', 'stat_cd', 'T', 'teilbezahlt'],
    ['fakt', 'stat_cd', 'B', 'bezahlt'],
    ['fakt', 'stat_cd', 'S', 'storniert'],
    ['best', 'stat_cd', 'O', 'offen'],
    ['best', 'stat_cd', 'G', 'geliefert'],
    ['best', 'stat_cd', 'X', 'storniert'],
  ]
}
