import type { Question } from './questions.ts'

/** Questions about invoices, deliveries, employees, service and the old system. */
export const OFFICE_QUESTIONS: readonly Question[] = [
  {
    text: 'How much money is overdue, by country of the customer?',
    needs: ['billing.invoices(customer_id state net_amount tax_amount)', 'crm.customers(id country_code)'],
    facts: ['billing.invoices.state: overdue', 'billing.invoices.net_amount: EUR'],
    sql: 'SELECT c.country_code, sum(i.net_amount + i.tax_amount) FROM billing.invoices i JOIN crm.customers c ON c.id = i.customer_id WHERE i.state = 3 GROUP BY 1',
  },
  {
    text: 'Which customers were handed over to a collection agency?',
    needs: [
      'billing.dunning_notices(invoice_id level)',
      'billing.invoices(id customer_id)',
      'crm.customers(id customer_no)',
    ],
    facts: ['billing.dunning_notices.level: Inkasso'],
    sql: 'SELECT DISTINCT c.customer_no FROM billing.dunning_notices d JOIN billing.invoices i ON i.id = d.invoice_id JOIN crm.customers c ON c.id = i.customer_id WHERE d.level = 3',
  },
  {
    text: 'Which invoices were settled with PayPal?',
    needs: [
      'billing.payments(id method_code)',
      'billing.payment_allocations(payment_id invoice_id)',
      'billing.invoices(id invoice_no)',
    ],
    facts: ['billing.payment_methods.label|billing.payments.method_code: PayPal'],
    sql: "SELECT i.invoice_no FROM billing.payments p JOIN billing.payment_allocations a ON a.payment_id = p.id JOIN billing.invoices i ON i.id = a.invoice_id WHERE p.method_code = 'PP'",
  },
  {
    text: 'How many card payments were charged back in 2025 and what were they worth in euros?',
    needs: ['billing.payments(status method_code amount_cents received_at)'],
    facts: [
      'billing.payments.status: charged_back',
      'billing.payments.amount_cents: cent|cents',
      'billing.payment_methods.code|billing.payments.method_code: CC',
    ],
    sql: "SELECT count(*), sum(amount_cents) / 100.0 FROM billing.payments WHERE status = 'charged_back' AND method_code = 'CC' AND received_at >= '2025-01-01' AND received_at < '2026-01-01' HAVING count(*) > 0",
  },
  {
    text: 'What did we book on expense accounts per cost centre this year?',
    needs: [
      'billing.ledger_entries(account_number booked_on debit cost_center)',
      'billing.ledger_accounts(number kind)',
      'hr.cost_centers(code name)',
    ],
    facts: ['billing.ledger_accounts.kind: expense'],
    sql: "SELECT k.name, sum(e.debit) FROM billing.ledger_entries e JOIN billing.ledger_accounts a ON a.number = e.account_number JOIN hr.cost_centers k ON k.code = e.cost_center WHERE a.kind = 'expense' AND e.booked_on >= '2026-01-01' GROUP BY k.name",
  },
  {
    text: 'How many Swiss francs was one euro worth on the last day we have?',
    needs: ['billing.exchange_rates(currency_code day rate)'],
    facts: ['billing.exchange_rates.rate: one euro', 'billing.exchange_rates.currency_code|ref.currencies.code: CHF'],
    sql: "SELECT rate FROM billing.exchange_rates WHERE currency_code = 'CHF' ORDER BY day DESC LIMIT 1",
  },
  {
    text: 'How much did we give back as goodwill credit notes?',
    needs: ['billing.credit_notes(reason net_amount)'],
    facts: ['billing.credit_notes.reason: goodwill', 'billing.credit_notes.net_amount: EUR'],
    sql: "SELECT sum(net_amount) FROM billing.credit_notes WHERE reason = 'goodwill'",
  },
  {
    text: 'Which delivery routes ran with electric vans and how many kilometres did they drive?',
    needs: ['logistics.delivery_routes(vehicle_id distance_m)', 'logistics.vehicles(id fuel)'],
    facts: ['logistics.vehicles.fuel: electric', 'logistics.delivery_routes.distance_m: metre|metres'],
    sql: "SELECT r.id, r.distance_m / 1000.0 FROM logistics.delivery_routes r JOIN logistics.vehicles v ON v.id = r.vehicle_id WHERE v.fuel = 'electric'",
  },
  {
    text: 'How often did we deliver more than an hour late to customers of the Munich warehouses?',
    needs: [
      'logistics.route_stops(shipment_id delay_min)',
      'logistics.shipments(id warehouse_id)',
      'logistics.warehouses(id city)',
    ],
    facts: ['logistics.route_stops.delay_min: minute|minutes', 'logistics.warehouses.city: Munich'],
    sql: "SELECT count(*) FROM logistics.route_stops t JOIN logistics.shipments s ON s.id = t.shipment_id JOIN logistics.warehouses w ON w.id = s.warehouse_id WHERE t.delay_min > 60 AND w.city = 'Munich' HAVING count(*) > 0",
  },
  {
    text: 'What goods have we scrapped this year, in pieces per article?',
    needs: ['logistics.stock_movements(variant_id qty reason_cd moved_at)', 'pim.product_variants(id sku)'],
    facts: ['logistics.stock_movements.reason_cd: scrapped'],
    sql: "SELECT v.sku, sum(abs(m.qty)) FROM logistics.stock_movements m JOIN pim.product_variants v ON v.id = m.variant_id WHERE m.reason_cd = 'SCR' AND m.moved_at >= '2026-01-01' GROUP BY v.sku",
  },
  {
    text: 'Which purchase orders have no confirmed delivery date yet?',
    needs: ['logistics.purchase_orders(po_no expected_on)'],
    facts: ['logistics.purchase_orders.expected_on: 1900-01-01'],
    sql: "SELECT po_no FROM logistics.purchase_orders WHERE expected_on = '1900-01-01'",
  },
  {
    text: 'How much is still to come from suppliers in Poland?',
    needs: [
      'logistics.purchase_order_lines(po_id qty_ordered qty_received)',
      'logistics.purchase_orders(id supplier_id state)',
      'pim.suppliers(id country_code)',
    ],
    facts: ['logistics.purchase_orders.state: partly received', 'ref.countries.code|pim.suppliers.country_code: PL'],
    sql: "SELECT sum(l.qty_ordered - l.qty_received) FROM logistics.purchase_order_lines l JOIN logistics.purchase_orders p ON p.id = l.po_id JOIN pim.suppliers s ON s.id = p.supplier_id WHERE p.state IN ('ordered', 'partly received') AND s.country_code = 'PL'",
  },
  {
    text: 'Which parcels had an exception on the way and which order did they belong to?',
    needs: [
      'logistics.tracking_events(tracking_no event)',
      'logistics.shipments(tracking_no order_id)',
      'sales.orders(id order_no)',
    ],
    facts: ['logistics.tracking_events.event: exception'],
    sql: "SELECT DISTINCT o.order_no FROM logistics.tracking_events t JOIN logistics.shipments s ON s.tracking_no = t.tracking_no JOIN sales.orders o ON o.id = s.order_id WHERE t.event = 'exception'",
  },
  {
    text: 'How many days were people off sick in each department in 2025?',
    needs: [
      'hr.absences(employee_id type_code days from_date)',
      'hr.employees(id department_id)',
      'hr.departments(id name)',
    ],
    facts: ['hr.absences.type_code|hr.absence_types.label: sick'],
    sql: "SELECT d.name, sum(a.days) FROM hr.absences a JOIN hr.employees e ON e.id = a.employee_id JOIN hr.departments d ON d.id = e.department_id WHERE a.type_code = 'K' AND a.from_date >= '2025-01-01' AND a.from_date < '2026-01-01' GROUP BY d.name",
  },
  {
    text: 'Which employees have not finished a mandatory training?',
    needs: [
      'hr.employees(id left_on)',
      'hr.employee_trainings(employee_id training_id completed_on)',
      'hr.trainings(id is_mandatory)',
    ],
    facts: ['hr.employee_trainings.completed_on: enrolled', 'hr.employees.left_on: still here'],
    sql: 'SELECT DISTINCT e.id FROM hr.employees e JOIN hr.employee_trainings t ON t.employee_id = e.id JOIN hr.trainings g ON g.id = t.training_id WHERE g.is_mandatory AND t.completed_on IS NULL AND e.left_on IS NULL',
  },
  {
    text: 'How many people report to each manager?',
    needs: ['hr.employees(id manager_id left_on)'],
    facts: [],
    sql: 'SELECT manager_id, count(*) FROM hr.employees WHERE left_on IS NULL AND manager_id IS NOT NULL GROUP BY manager_id',
  },
  {
    text: 'How many interns do we have right now?',
    needs: ['hr.employees(contract left_on)'],
    facts: ['hr.employees.contract: intern'],
    sql: "SELECT count(*) FROM hr.employees WHERE contract = 'intern' AND left_on IS NULL HAVING count(*) > 0",
  },
  {
    text: 'Who got the best grade in the 2025 reviews?',
    needs: ['hr.performance_reviews(employee_id year grade)'],
    facts: ['hr.performance_reviews.grade: best'],
    sql: 'SELECT employee_id FROM hr.performance_reviews WHERE year = 2025 AND grade = 1',
  },
  {
    text: 'How many billable hours did the Data department book?',
    needs: ['hr.timesheets(employee_id minutes billable)', 'hr.employees(id department_id)', 'hr.departments(id name)'],
    facts: ['hr.timesheets.minutes: minute|minutes', 'hr.departments.name: Data'],
    sql: "SELECT sum(t.minutes) / 60.0 FROM hr.timesheets t JOIN hr.employees e ON e.id = t.employee_id JOIN hr.departments d ON d.id = e.department_id WHERE t.billable AND d.name = 'Data'",
  },
  {
    text: 'How many urgent tickets about damage are still open?',
    needs: ['support.tickets(id prio state)', 'support.ticket_tags(ticket_id tag_id)', 'support.tags(id name)'],
    facts: [
      'support.tickets.prio|ref.ticket_priority.label: urgent',
      'support.tags.name: damage',
      'support.tickets.state: open',
    ],
    sql: "SELECT count(*) FROM support.tickets t JOIN support.ticket_tags tt ON tt.ticket_id = t.id JOIN support.tags g ON g.id = tt.tag_id JOIN ref.ticket_priority p ON p.id = t.prio WHERE p.label = 'urgent' AND g.name = 'damage' AND t.state IN ('open', 'waiting') HAVING count(*) > 0",
  },
  {
    text: 'How satisfied are customers with the answers of the returns desk?',
    needs: ['support.csat(ticket_id score)', 'support.tickets(id assignee_id)', 'support.agents(id team)'],
    facts: ['support.agents.team: returns desk', 'support.csat.score: very happy'],
    sql: "SELECT avg(s.score) FROM support.csat s JOIN support.tickets t ON t.id = s.ticket_id JOIN support.agents a ON a.id = t.assignee_id WHERE a.team = 'returns desk'",
  },
  {
    text: 'For which articles did we accept the most warranty claims?',
    needs: ['support.warranty_claims(variant_sku decision)', 'pim.product_variants(sku)'],
    facts: ['support.warranty_claims.decision: accepted'],
    sql: "SELECT v.sku, count(*) FROM support.warranty_claims w JOIN pim.product_variants v ON v.sku = w.variant_sku WHERE w.decision = 'accepted' GROUP BY v.sku ORDER BY 2 DESC",
  },
  {
    text: 'What was the net order value per year in the old system, without cancelled orders?',
    needs: ['legacy.auftr(stat_cd dt_auf amt_n)'],
    facts: [
      'legacy.auftr.amt_n: Cent',
      'legacy.auftr.dt_auf: YYYYMMDD|%Y%m%d|20201230',
      'legacy.auftr.stat_cd|legacy.codes.txt: storniert',
    ],
    sql: "SELECT substr(dt_auf, 1, 4), sum(amt_n) / 100.0 FROM legacy.auftr WHERE stat_cd <> 'X' GROUP BY 1 ORDER BY 1",
  },
  {
    text: 'Which product groups did we sell most in the old system?',
    needs: ['legacy.aufpos(artnr mng)', 'legacy.artst(artnr wgr)', 'legacy.wgr(wgr bez)'],
    facts: [],
    sql: 'SELECT w.bez, sum(p.mng) FROM legacy.aufpos p JOIN legacy.artst a ON a.artnr = p.artnr JOIN legacy.wgr w ON w.wgr = a.wgr GROUP BY w.bez ORDER BY 2 DESC',
  },
  {
    text: 'Which invoices of the legacy system were never fully paid?',
    needs: ['legacy.fakt(fnr stat_cd)'],
    facts: ['legacy.fakt.stat_cd|legacy.codes.txt: offen'],
    sql: "SELECT fnr FROM legacy.fakt WHERE stat_cd IN ('O', 'T')",
  },
  {
    text: 'How much did customers pay on old invoices in 2019 (Zahlungseingänge)?',
    needs: ['legacy.zahl(dt_z betr)'],
    facts: ['legacy.zahl.betr: Komma', 'legacy.zahl.dt_z: YYYYMMDD|%Y%m%d|20210330'],
    sql: "SELECT sum(replace(betr, ',', '.')::numeric) FROM legacy.zahl WHERE dt_z LIKE '2019%'",
  },
  {
    text: 'How many of our craft customers (Handwerk) from before 2021 still order today?',
    needs: ['legacy.kunden(kdnr kgrp)', 'crm.customers(id legacy_no)', 'sales.orders(customer_id ordered_at)'],
    facts: ['legacy.kunden.kgrp: Handwerk'],
    sql: "SELECT count(DISTINCT c.id) FROM legacy.kunden k JOIN crm.customers c ON c.legacy_no = k.kdnr JOIN sales.orders o ON o.customer_id = c.id WHERE k.kgrp = '02' AND o.ordered_at >= '2026-01-01' HAVING count(*) > 0",
  },
  {
    text: 'What turnover did the sales reps of the southern territory make in the old system?',
    needs: ['legacy.auftr(vnr amt_n)', 'legacy.vertr(vnr geb_cd)'],
    facts: ['legacy.vertr.geb_cd: Süd', 'legacy.auftr.amt_n: Cent'],
    sql: "SELECT v.vnr, sum(a.amt_n) / 100.0 FROM legacy.auftr a JOIN legacy.vertr v ON v.vnr = a.vnr WHERE v.geb_cd = 'S' GROUP BY v.vnr",
  },
  {
    text: 'Which old suppliers were we still waiting for at the end (offene Bestellungen)?',
    needs: ['legacy.best(linr stat_cd)', 'legacy.lief(linr f_01)'],
    facts: ['legacy.best.stat_cd|legacy.codes.txt: offen'],
    sql: "SELECT DISTINCT l.f_01 FROM legacy.best b JOIN legacy.lief l ON l.linr = b.linr WHERE b.stat_cd = 'O'",
  },
]
