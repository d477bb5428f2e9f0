/**
 * Facts that a person who knows the company would want to find in the compiled files. Joins are those used to generate
 * the tables; values, units and meanings are listed here, each with the words that must occur.
 */
import { TABLES, VIEWS } from './company.ts'
import type { Join } from './define.ts'

export interface PlantedJoin extends Join {
  readonly id: string
  readonly from: string
}

export type FactKind =
  | 'labels'
  | 'lookup'
  | 'meaning'
  | 'range'
  | 'through'
  | 'unit'
  | 'placeholder'
  | 'format'
  | 'keys'
  | 'elements'

export interface ValueFact {
  readonly id: string
  readonly column: string
  readonly kind: FactKind
  /** Words that must all occur on the line of the column; `a|b` matches either. */
  readonly words: readonly string[]
}

/** Facts stated only in comments, which SQLite does not have. */
export const IN_COMMENTS: ReadonlySet<FactKind> = new Set(['meaning', 'unit', 'placeholder'])

export const JOINS: readonly PlantedJoin[] = TABLES.flatMap((own) => [
  ...Object.entries(own.columns).flatMap(([column, { ref, declared, one }]) =>
    ref === undefined
      ? []
      : [
          planted(own.name, {
            columns: [column],
            to: ref.slice(0, ref.lastIndexOf('.')),
            toColumns: [ref.slice(ref.lastIndexOf('.') + 1)],
            declared: declared !== false,
            cardinality: one ? '1:1' : 'n:1',
          }),
        ],
  ),
  ...own.joins.map((join) => planted(own.name, join)),
])

function planted(from: string, join: Join): PlantedJoin {
  return { ...join, from, id: `${from}.${join.columns.join('+')} > ${join.to}.${join.toColumns.join('+')}` }
}

/** View columns with the same content as a table column: joins through them are right, though not planted. */
export const SAME: readonly (readonly [string, string])[] = [
  ...VIEWS.flatMap(({ name, same }) => Object.entries(same).map(([column, to]) => [`${name}.${column}`, to] as const)),
  ['sales.orders_2019_backup.id', 'sales.orders.id'],
  ['sales.orders_tmp.id', 'sales.orders.id'],
  ['sales.orders_2019_backup.status_id', 'sales.orders.status_id'],
  ['sales.orders_tmp.status_id', 'sales.orders.status_id'],
  ['analytics.stg_order_lines.line_no', 'sales.order_lines.line_no'],
]

/** Columns that look like references but are not. */
export const BAITS: readonly string[] = [
  'hr.timesheets.project_id',
  'logistics.bins.zone_id',
  'billing.ledger_entries.batch_no',
  'sales.orders.external_ref',
  'legacy.prot.schl',
  'legacy.t_0815.f_01',
  'legacy.t_0815.f_02',
  'legacy.t_0815.f_04',
  'pim.supplier_products.supplier_sku',
  'legacy.ansp.lfd',
  'legacy.prot.lfd',
  'legacy.zahl.znr',
  'legacy.pers.pnr',
  'hr.payroll_runs.period',
  'crm.leads.score',
  'support.csat.score',
]

export const FACT_KINDS: Readonly<Record<FactKind, string>> = {
  labels: 'what may stand there',
  lookup: 'what a code means, by a table',
  meaning: 'what a code means, by a comment',
  range: 'ranges',
  through: 'data through',
  unit: 'units',
  placeholder: 'what stands for unknown',
  format: 'formats of dates in text',
  keys: 'keys of documents',
  elements: 'elements of lists',
}

const CENTS = 'cent|cents'
const fact = (column: string, kind: FactKind, ...words: readonly string[]): ValueFact => ({
  id: `${column} ${kind}`,
  column,
  kind,
  words,
})

export const VALUE_FACTS: readonly ValueFact[] = [
  // Possible values of a column.
  fact('crm.customers.kind', 'labels', 'private', 'business', 'public_sector'),
  fact('crm.customers.rating', 'labels', 'A', 'B', 'C', 'D', 'U'),
  fact('crm.campaigns.channel', 'labels', 'email', 'paid_search', 'social', 'print', 'trade_fair'),
  fact('crm.leads.state', 'labels', 'open', 'qualified', 'disqualified', 'converted'),
  fact('crm.consents.purpose', 'labels', 'newsletter', 'phone', 'profiling'),
  fact('crm.addresses.kind', 'labels', 'billing', 'shipping', 'both'),
  fact('crm.activities.subject_type', 'labels', 'customer', 'lead', 'opportunity'),
  fact('crm.activities.type', 'labels', 'call', 'email', 'visit', 'demo'),
  fact('crm.opportunity_contacts.role', 'labels', 'decision maker', 'influencer', 'user', 'blocker'),
  fact('crm.campaign_members.response', 'labels', 'sent', 'opened', 'clicked', 'bounced', 'unsubscribed'),
  fact('crm.segments.name', 'labels', 'Key accounts', 'Growth', 'Bargain hunters', 'Dormant', 'Newcomers', 'Win-back'),
  fact('pim.products.life_cycle', 'labels', 'planned', 'active', 'phase_out', 'discontinued'),
  fact('pim.product_variants.colour', 'labels', 'Rose', 'Violet', 'Olive', 'Amber', 'Slate', 'Jade'),
  fact('pim.product_variants.size', 'labels', 'S', 'M', 'L', 'XL', 'one size'),
  fact('pim.price_lists.code', 'labels', 'RETAIL', 'B2B', 'EXPORT', 'STAFF', 'OUTLET'),
  fact('pim.product_specs.ip_rating', 'labels', 'IP20', 'IP44', 'IP65', 'IP67'),
  fact('sales.channels.code', 'labels', 'WEB', 'APP', 'STORE', 'PHONE', 'MARKETPLACE'),
  fact('sales.discounts.kind', 'labels', 'percent', 'amount', 'free_shipping'),
  fact('sales.carts.state', 'labels', 'open', 'ordered', 'abandoned'),
  fact('sales.returns.reason', 'labels', 'too large', 'damaged', 'wrong item', 'changed mind', 'unknown'),
  fact('sales.quotes.state', 'labels', 'draft', 'sent', 'accepted', 'declined', 'expired'),
  fact('sales.subscriptions.plan', 'labels', 'basic', 'plus', 'pro'),
  fact('billing.payments.status', 'labels', 'pending', 'settled', 'failed', 'charged_back'),
  fact('billing.ledger_accounts.kind', 'labels', 'asset', 'liability', 'income', 'expense'),
  fact('billing.ledger_entries.document_type', 'labels', 'invoice', 'payment', 'credit_note'),
  fact('billing.invoices.state', 'labels', '0', '1', '2', '3', '9'),
  fact('billing.payment_methods.code', 'labels', 'CC', 'SEPA', 'PP', 'INV', 'CASH', 'GC'),
  fact('logistics.shipments.st', 'labels', 'P', 'S', 'D', 'L', 'X'),
  fact('logistics.stock_movements.reason_cd', 'labels', 'GR', 'GI', 'TR', 'INV', 'SCR'),
  fact('logistics.vehicles.fuel', 'labels', 'diesel', 'electric', 'gas'),
  fact('logistics.purchase_orders.state', 'labels', 'draft', 'ordered', 'partly received', 'received', 'cancelled'),
  fact(
    'logistics.tracking_events.event',
    'labels',
    'picked_up',
    'in_transit',
    'out_for_delivery',
    'delivered',
    'exception',
  ),
  fact('hr.employees.contract', 'labels', 'permanent', 'fixed_term', 'temp', 'intern'),
  fact('hr.applicants.stage', 'labels', 'received', 'interview', 'offer', 'hired', 'rejected'),
  fact('hr.absences.type_code', 'labels', 'U', 'K', 'F', 'S', 'E'),
  fact('hr.positions.pay_grade', 'labels', 'E1', 'E2', 'E3', 'E4', 'AT'),
  fact('web.sessions.device', 'labels', 'mobile', 'desktop', 'tablet', 'bot'),
  fact('web.events.name', 'labels', 'add_to_cart', 'remove_from_cart', 'search', 'purchase', 'error'),
  fact('support.tickets.state', 'labels', 'open', 'waiting', 'solved', 'closed'),
  fact('support.warranty_claims.decision', 'labels', 'pending', 'accepted', 'refused'),
  fact(
    'support.tags.name',
    'labels',
    'delivery',
    'damage',
    'invoice',
    'login',
    'praise',
    'spare part',
    'warranty',
    'spam',
  ),
  fact('legacy.kunden.stat_cd', 'labels', 'A', 'I', 'G', 'X'),
  fact('legacy.auftr.stat_cd', 'labels', 'S', 'A', 'F', 'X'),
  fact('legacy.fakt.stat_cd', 'labels', 'B', 'O', 'T', 'S'),
  fact('legacy.kunden.kgrp', 'labels', '01', '02', '03', '99'),
  fact('legacy.lgbst.lgort', 'labels', 'HH', 'M', 'L'),
  fact('analytics.dim_customer.lifecycle', 'labels', 'prospect', 'active', 'at_risk', 'churned'),
  fact(
    'analytics.fct_orders.order_status',
    'labels',
    'delivered',
    'shipped',
    'confirmed',
    'new',
    'cancelled',
    'returned',
  ),
  fact(
    'analytics.fct_subscriptions_monthly.movement',
    'labels',
    'new',
    'expansion',
    'contraction',
    'churn',
    'unchanged',
  ),
  fact('analytics.dim_product.margin_class', 'labels', 'high', 'medium', 'low'),
  // Meaning of a code, in a lookup table.
  fact('sales.orders.status_id', 'lookup', 'shipped', 'delivered', 'cancelled'),
  fact('support.tickets.prio', 'lookup', 'low', 'urgent'),
  fact('hr.absences.type_code', 'lookup', 'Urlaub|holiday', 'krank|sick'),
  fact('sales.orders.channel_id', 'lookup', 'WEB', 'STORE'),
  // Meaning of a code, in a comment.
  fact('billing.invoices.state', 'meaning', 'draft', 'open', 'paid', 'overdue', 'cancelled'),
  fact('crm.opportunities.stage', 'meaning', 'offer', 'won', 'lost'),
  fact('logistics.shipments.st', 'meaning', 'packed', 'shipped', 'delivered', 'lost'),
  fact('logistics.stock_movements.reason_cd', 'meaning', 'goods receipt', 'goods issue', 'scrapped'),
  fact('sales.returns.state', 'meaning', 'announced', 'refunded', 'refused'),
  fact('billing.dunning_notices.level', 'meaning', 'Zahlungserinnerung', 'Inkasso'),
  fact('legacy.kunden.kgrp', 'meaning', 'Handel', 'Handwerk', 'Privat'),
  fact('legacy.vertr.geb_cd', 'meaning', 'Nord', 'Süd', 'West', 'Ost'),
  fact('hr.performance_reviews.grade', 'meaning', 'best', 'worst'),
  fact('crm.customers.is_deleted', 'meaning', 'soft delete'),
  // Ranges of numbers and dates.
  fact('crm.customers.created_at', 'range', '2019-01-02', '2026-06-30'),
  fact('crm.leads.score', 'range', '0', '100'),
  fact('crm.campaigns.budget_eur', 'range', '2000.00|2,000.00', '80000.00|80,000.00'),
  fact('pim.products.weight_g', 'range', '120', '48000|48,000'),
  fact('pim.products.launched_on', 'range', '2017-02-01', '2026-06-01'),
  fact('pim.product_reviews.stars', 'range', '1', '5'),
  fact('sales.stores.floor_sqm', 'range', '120', '1900|1,900'),
  fact('sales.orders.total_cents', 'range', '990', '780000|780,000'),
  fact('billing.exchange_rates.rate', 'range', '0.8000', '4.6000'),
  fact('billing.refunds.amount', 'range', '5.00', '900.00'),
  fact('logistics.route_stops.delay_min', 'range', '-20', '240'),
  fact('hr.absences.days', 'range', '0.5', '30.0'),
  fact('hr.employees.fte', 'range', '0.25', '1.00'),
  fact('hr.performance_reviews.year', 'range', '2022', '2025'),
  fact('legacy.aufpos.rab', 'range', '0', '35'),
  fact('analytics.fct_shipments.days_late', 'range', '-3', '21'),
  fact('analytics.fct_payments.days_to_pay', 'range', '0', '94'),
  fact('sales.orders.ordered_at', 'through', '2026-06-30'),
  fact('billing.payments.received_at', 'through', '2026-06-30'),
  fact('billing.invoices.issued_on', 'through', '2026-06-30'),
  fact('logistics.shipments.shipped_at', 'through', '2026-06-30'),
  fact('support.tickets.opened_at', 'through', '2026-06-30'),
  fact('sales.orders_2019_backup.ordered_at', 'through', '2019-12-30'),
  fact('hr.timesheets.work_date', 'through', '2026-06-30'),
  fact('web.page_views.viewed_at', 'through', '2026-06-30'),
  fact('web.sessions.started_at', 'through', '2026-06-30'),
  fact('web.users.last_login', 'through', '2026-06-30'),
  fact('legacy.auftr.dt_auf', 'through', '2020-12-30|20201230'),
  fact('legacy.fakt.dt_f', 'through', '2021-01-15|15.01.2021'),
  fact('legacy.zahl.dt_z', 'through', '2021-03-30|20210330'),
  fact('legacy.kunden.dt_anl', 'through', '2020-12-18|18.12.2020'),
  fact('logistics.stock_levels.counted_on', 'through', '2026-06-29|20260629'),
  fact('sales.sales_targets.month', 'through', '2026-06'),
  // Units.
  fact('sales.orders.total_cents', 'unit', CENTS),
  fact('sales.order_lines.unit_price_cents', 'unit', CENTS),
  fact('billing.payments.amount_cents', 'unit', CENTS),
  fact('billing.refunds.amount', 'unit', 'EUR'),
  fact('billing.invoices.net_amount', 'unit', 'EUR', 'net'),
  fact('pim.product_variants.list_price_cents', 'unit', CENTS),
  fact('pim.product_variants.purchase_price', 'unit', 'euro|euros|EUR'),
  fact('pim.products.weight_g', 'unit', 'gram|grams'),
  fact('crm.opportunities.amount_cents', 'unit', CENTS),
  fact('legacy.auftr.amt_n', 'unit', 'Cent', 'Netto'),
  fact('legacy.artst.ek', 'unit', 'Cent'),
  fact('legacy.zahl.betr', 'unit', 'Euro'),
  fact('logistics.delivery_routes.distance_m', 'unit', 'metre|metres'),
  fact('logistics.route_stops.delay_min', 'unit', 'minute|minutes'),
  fact('hr.timesheets.minutes', 'unit', 'minute|minutes'),
  fact('web.sessions.started_at', 'unit', 'millisecond|milliseconds|ms'),
  fact('web.page_views.ms', 'unit', 'millisecond|milliseconds'),
  fact('ref.tax_rates.rate', 'unit', 'fraction'),
  fact('billing.exchange_rates.rate', 'unit', 'one euro'),
  fact('analytics.fct_orders.revenue_eur', 'unit', 'EUR', 'gross'),
  // Placeholders for unknown, never and forever.
  fact('crm.customers.rating', 'placeholder', 'unknown'),
  fact('crm.campaigns.ends_on', 'placeholder', '9999-12-31'),
  fact('sales.discounts.valid_until', 'placeholder', '2099-12-31'),
  fact('logistics.purchase_orders.expected_on', 'placeholder', '1900-01-01'),
  fact('logistics.stock_levels.reorder_point', 'placeholder', '-1', 'never'),
  fact('legacy.lief.land', 'placeholder', '??', 'unbekannt'),
  fact('legacy.kunden.kgrp', 'placeholder', '99', 'unbekannt'),
  fact('legacy.kunden.dt_upd', 'placeholder', '0', 'nie'),
  fact('crm.opportunities.lost_reason', 'placeholder', 'n/a', 'unknown'),
  fact('logistics.damages.cause', 'placeholder', '?', 'not known'),
  // Date formats.
  fact('sales.stores.opened_on', 'format', 'DD.MM.YYYY|TT.MM.JJJJ|%d.%m.%Y'),
  fact('legacy.kunden.dt_anl', 'format', 'DD.MM.YYYY|%d.%m.%Y'),
  fact('legacy.fakt.dt_f', 'format', 'DD.MM.YYYY|%d.%m.%Y'),
  fact('legacy.mahn.dt_m', 'format', 'DD.MM.YYYY|%d.%m.%Y'),
  fact('legacy.auftr.dt_auf', 'format', 'YYYYMMDD|%Y%m%d'),
  fact('legacy.zahl.dt_z', 'format', 'YYYYMMDD|%Y%m%d'),
  fact('legacy.best.dt_best', 'format', 'YYYYMMDD|%Y%m%d'),
  fact('logistics.stock_levels.counted_on', 'format', 'YYYYMMDD|%Y%m%d'),
  fact('support.warranty_claims.purchased_on', 'format', 'MM/DD/YYYY|%m/%d/%Y'),
  fact('sales.sales_targets.month', 'format', 'YYYY-MM|%Y-%m'),
  // Contents of a document or a list.
  fact('pim.products.attributes', 'keys', 'colour', 'material', 'warranty_months', 'energy'),
  fact('pim.products.attributes', 'keys', 'watt'),
  fact('sales.orders.meta', 'keys', 'device', 'utm', 'gift'),
  fact('billing.payments.details', 'keys', 'card', 'iban', 'purpose'),
  fact('logistics.tracking_events.payload', 'keys', 'hub', 'temperature_c', 'scan'),
  fact('web.events.props', 'keys', 'query', 'hits', 'order_no', 'value', 'sku', 'qty'),
  fact('web.error_logs.context', 'keys', 'url', 'user'),
  fact('hr.applicants.cv', 'keys', 'name', 'born', 'skills'),
  fact('crm.addresses.geo', 'keys', 'lat', 'lon', 'quality'),
  fact('pim.products.tags', 'elements', 'new', 'bestseller', 'sale', 'eco'),
  fact('crm.interests.topics', 'elements', 'lighting', 'storage', 'tools', 'garden', 'office'),
  fact('support.agents.languages', 'elements', 'de', 'en', 'fr'),
  fact('web.ab_tests.arms', 'elements', 'control', 'a', 'b'),
].map((each, i, all) => (all.slice(0, i).some(({ id }) => id === each.id) ? { ...each, id: `${each.id} 2` } : each))

/** Columns with few values that resemble personal data but must be shown. */
export const INNOCENT: Readonly<Record<string, readonly string[]>> = {
  'pim.brands.name': ['Miller & Sons', 'Petra Line', 'Otto Classic'],
  'pim.product_variants.colour': ['Rose', 'Violet', 'Olive', 'Amber', 'Jade'],
  'pim.product_specs.firmware': ['10.2.14.3', '10.2.15.0', '11.0.0.1'],
  'web.sessions.app_version': ['7.14.0.2', '7.15.1.0', '8.0.0.1'],
  'web.searches.term': ['desk lamp', 'rose', 'violet'],
  'web.sessions.utm_source': ['google', 'newsletter', 'instagram'],
  'web.users.locale': ['de_DE', 'de_AT', 'en_US'],
  'crm.contacts.salutation': ['Frau', 'Herr', 'divers'],
  'crm.contacts.job_title': ['Buyer', 'Managing director', 'Accountant'],
  'crm.segments.owner_team': ['Marketing DACH', 'Marketing International'],
  'crm.leads.state': ['qualified', 'converted'],
  'billing.cards.brand': ['visa', 'mastercard', 'amex'],
  'billing.bank_accounts.bic': ['COBADEFF', 'DEUTDEFF'],
  'billing.payment_methods.label': ['Credit card', 'SEPA direct debit', 'PayPal'],
  'logistics.warehouses.city': ['Hamburg', 'Munich', 'Leipzig', 'Vienna'],
  'logistics.vehicles.model': ['Sprinter', 'Crafter', 'TGL', 'Ducato'],
  'logistics.carriers.name': ['DHL', 'Hermes', 'UPS'],
  'logistics.drivers.licence_class': ['C1', 'CE'],
  'hr.positions.title': ['Account executive', 'Driver', 'Recruiter'],
  'hr.emergency_contacts.relation': ['spouse', 'parent', 'sibling'],
  'hr.cost_centers.code': ['KST-1000', 'KST-1010'],
  'sales.returns.reason': ['too large', 'wrong item'],
  'support.agents.team': ['first level', 'returns desk'],
  'legacy.wgr.bez': ['Leuchten', 'Stühle', 'Ersatzteile'],
  'legacy.kfz.typ': ['Passat', 'Octavia'],
  'ref.regions.name': ['Bavaria', 'Saxony', 'Salzburg'],
  'ref.countries.name': ['Germany', 'Austria', 'Japan'],
  'analytics.dim_product.brand_name': ['Petra Line', 'Otto Classic'],
}
