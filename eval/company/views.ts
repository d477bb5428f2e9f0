import { view } from './define.ts'
import { WATCHED } from './people.ts'

/** Staging views and marts of dbt, and views created by departments. */
export const COMPANY_VIEWS = [
  view(
    'analytics.stg_orders',
    'Orders without tests, amounts in euros.',
    'SELECT id AS order_id, order_no, customer_id, status_id, channel_id, ordered_at, total_cents / 100.0 AS total_eur FROM sales.orders WHERE NOT is_test',
    {
      order_id: 'sales.orders.id',
      order_no: 'sales.orders.order_no',
      customer_id: 'sales.orders.customer_id',
      status_id: 'sales.orders.status_id',
      channel_id: 'sales.orders.channel_id',
    },
  ),
  view(
    'analytics.stg_order_lines',
    undefined,
    'SELECT order_id, line_no, variant_id, quantity, quantity * unit_price_cents * (1 - discount_pct) / 100.0 AS net_eur FROM sales.order_lines',
    { order_id: 'sales.order_lines.order_id', variant_id: 'sales.order_lines.variant_id' },
  ),
  view(
    'analytics.stg_customers',
    undefined,
    'SELECT id AS customer_id, customer_no, name, kind, country_code, region_id FROM crm.customers WHERE NOT is_deleted',
    {
      customer_id: 'crm.customers.id',
      customer_no: 'crm.customers.customer_no',
      country_code: 'crm.customers.country_code',
      region_id: 'crm.customers.region_id',
    },
  ),
  view(
    'analytics.stg_products',
    undefined,
    'SELECT v.id AS variant_id, v.sku, p.name AS product_name, p.brand_id, v.list_price_cents / 100.0 AS list_price_eur FROM pim.product_variants v JOIN pim.products p ON p.id = v.product_id WHERE NOT p.is_deleted',
    { variant_id: 'pim.product_variants.id', sku: 'pim.product_variants.sku', brand_id: 'pim.products.brand_id' },
  ),
  view(
    'analytics.stg_legacy_orders',
    'Orders before 2021.',
    "SELECT aufnr AS order_no, kdnr AS customer_no, amt_b / 100.0 AS total_eur FROM legacy.auftr WHERE stat_cd <> 'X'",
    { order_no: 'legacy.auftr.aufnr', customer_no: 'legacy.auftr.kdnr' },
  ),
  view(
    'analytics.v_open_invoices',
    'Invoices that wait for money.',
    'SELECT i.id AS invoice_id, i.customer_id, c.customer_no, i.due_on, i.net_amount + i.tax_amount AS gross_eur FROM billing.invoices i JOIN crm.customers c ON c.id = i.customer_id WHERE i.state IN (1, 3)',
    {
      invoice_id: 'billing.invoices.id',
      customer_id: 'billing.invoices.customer_id',
      customer_no: 'crm.customers.customer_no',
    },
  ),
  view(
    'analytics.mart_customer_ltv',
    'Lifetime value per customer.',
    'SELECT customer_id, COUNT(*) AS orders, SUM(total_cents) / 100.0 AS revenue_eur FROM sales.orders WHERE NOT is_test AND status_id <> 6 GROUP BY customer_id',
    { customer_id: 'sales.orders.customer_id' },
    'materialized view',
  ),
  view(
    'analytics.mart_product_margin',
    undefined,
    'SELECT l.variant_id, SUM(l.quantity) AS pieces, SUM(l.quantity * (l.unit_price_cents / 100.0 - v.purchase_price)) AS margin_eur FROM sales.order_lines l JOIN pim.product_variants v ON v.id = l.variant_id GROUP BY l.variant_id',
    { variant_id: 'sales.order_lines.variant_id' },
    'materialized view',
  ),
  view(
    'analytics.mart_carrier_quality',
    undefined,
    "SELECT c.name AS carrier, COUNT(*) AS parcels, SUM(CASE WHEN s.st = 'L' THEN 1 ELSE 0 END) AS lost FROM logistics.shipments s JOIN logistics.carriers c ON c.id = s.carrier_id GROUP BY c.name",
  ),
  view(
    'sales.v_store_month',
    'Targets beside the name of the shop.',
    'SELECT t.store_id, s.name AS store, t.month, t.target_eur FROM sales.sales_targets t JOIN sales.stores s ON s.id = t.store_id',
    { store_id: 'sales.sales_targets.store_id' },
  ),
  view(
    'crm.v_reachable_contacts',
    'Contacts who may be written to.',
    `SELECT id AS contact_id, customer_id, language_code FROM crm.contacts WHERE email <> '${WATCHED[5]!.values.email}'`,
    {
      contact_id: 'crm.contacts.id',
      customer_id: 'crm.contacts.customer_id',
      language_code: 'crm.contacts.language_code',
    },
  ),
  view(
    'hr.v_headcount',
    'Employees per department who are still here.',
    'SELECT d.name AS department, COUNT(*) AS heads FROM hr.employees e JOIN hr.departments d ON d.id = e.department_id WHERE e.left_on IS NULL GROUP BY d.name',
  ),
  view(
    'logistics.v_low_stock',
    'Variants below their reorder point.',
    'SELECT s.variant_id, s.warehouse_id, s.on_hand, s.reorder_point FROM logistics.stock_levels s WHERE s.on_hand < s.reorder_point',
    { variant_id: 'logistics.stock_levels.variant_id', warehouse_id: 'logistics.stock_levels.warehouse_id' },
  ),
]
