import type { Question } from './questions.ts'

/** Questions about customers, products, orders and web visits. */
export const SHOP_QUESTIONS: readonly Question[] = [
  {
    text: 'How many shipped orders from Bavaria are still unpaid after 30 days?',
    needs: [
      'sales.orders(id customer_id status_id is_test)',
      'crm.customers(id region_id)',
      'ref.regions(id name)',
      'billing.invoices(order_id state due_on)',
    ],
    facts: [
      'sales.orders.status_id|ref.order_status.code: shipped',
      'billing.invoices.state: paid',
      'ref.regions.name: Bavaria',
    ],
    sql: "SELECT count(DISTINCT o.id) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id JOIN ref.regions r ON r.id = c.region_id JOIN billing.invoices i ON i.order_id = o.id WHERE o.status_id = 4 AND r.name = 'Bavaria' AND NOT o.is_test AND i.state IN (1, 3) AND i.due_on < DATE '2026-06-30' HAVING count(*) > 0",
  },
  {
    text: 'Which ten business customers brought us the most money last year, in euros?',
    needs: ['crm.customers(id name kind is_deleted)', 'sales.orders(customer_id total_cents ordered_at is_test)'],
    facts: [
      'crm.customers.kind: business',
      'sales.orders.total_cents: cent|cents',
      'crm.customers.is_deleted: soft delete',
    ],
    sql: "SELECT c.name, sum(o.total_cents) / 100.0 FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id WHERE c.kind = 'business' AND NOT c.is_deleted AND NOT o.is_test AND o.ordered_at >= '2025-01-01' AND o.ordered_at < '2026-01-01' GROUP BY c.name ORDER BY 2 DESC LIMIT 10",
  },
  {
    text: 'What share of the parcels sent with DHL got lost?',
    needs: ['logistics.shipments(carrier_id st)', 'logistics.carriers(id name)'],
    facts: ['logistics.shipments.st: lost', 'logistics.carriers.name: DHL'],
    sql: "SELECT avg(CASE WHEN s.st = 'L' THEN 1.0 ELSE 0 END) FROM logistics.shipments s JOIN logistics.carriers c ON c.id = s.carrier_id WHERE c.name = 'DHL'",
  },
  {
    text: 'Which articles have we sold most pieces of in the category Lighting?',
    needs: [
      'sales.order_lines(variant_id quantity)',
      'pim.product_variants(id product_id)',
      'pim.products(id name)',
      'pim.product_categories(product_id category_id)',
      'pim.categories(id name)',
    ],
    facts: ['pim.categories.name: Lighting'],
    sql: "SELECT p.name, sum(l.quantity) FROM sales.order_lines l JOIN pim.product_variants v ON v.id = l.variant_id JOIN pim.products p ON p.id = v.product_id JOIN pim.product_categories pc ON pc.product_id = p.id JOIN pim.categories c ON c.id = pc.category_id WHERE c.name = 'Lighting' GROUP BY p.name ORDER BY 2 DESC LIMIT 10",
  },
  {
    text: 'How many customers with the worst credit rating placed an order this year?',
    needs: ['crm.customers(id rating)', 'sales.orders(customer_id ordered_at)'],
    facts: ['crm.customers.rating: worst'],
    sql: "SELECT count(DISTINCT c.id) FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id WHERE c.rating = 'D' AND o.ordered_at >= '2026-01-01' HAVING count(*) > 0",
  },
  {
    text: 'How many qualified leads came out of each trade fair campaign?',
    needs: ['crm.leads(campaign_id state)', 'crm.campaigns(id name channel)'],
    facts: ['crm.leads.state: qualified', 'crm.campaigns.channel: trade_fair'],
    sql: "SELECT c.name, count(*) FROM crm.leads l JOIN crm.campaigns c ON c.id = l.campaign_id WHERE l.state = 'qualified' AND c.channel = 'trade_fair' GROUP BY c.name",
  },
  {
    text: 'What is the total value of the deals we won, in euros?',
    needs: ['crm.opportunities(stage amount_cents)'],
    facts: ['crm.opportunities.stage: won', 'crm.opportunities.amount_cents: cent|cents'],
    sql: 'SELECT sum(amount_cents) / 100.0 FROM crm.opportunities WHERE stage = 90',
  },
  {
    text: 'How many abandoned carts contained a chair?',
    needs: [
      'sales.carts(id state)',
      'sales.cart_items(cart_id variant_id)',
      'pim.product_variants(id product_id)',
      'pim.products(id name)',
    ],
    facts: ['sales.carts.state: abandoned'],
    sql: "SELECT count(DISTINCT c.id) FROM sales.carts c JOIN sales.cart_items i ON i.cart_id = c.id JOIN pim.product_variants v ON v.id = i.variant_id JOIN pim.products p ON p.id = v.product_id WHERE c.state = 'abandoned' AND p.name LIKE '%chair%' HAVING count(*) > 0",
  },
  {
    text: 'Who gave consent to the newsletter among the contacts of our key accounts?',
    needs: [
      'crm.consents(contact_id purpose granted)',
      'crm.contacts(id customer_id)',
      'crm.customer_segments(customer_id segment_id)',
      'crm.segments(id name)',
    ],
    facts: ['crm.consents.purpose: newsletter', 'crm.segments.name: Key accounts'],
    sql: "SELECT DISTINCT ct.id FROM crm.consents n JOIN crm.contacts ct ON ct.id = n.contact_id JOIN crm.customer_segments cs ON cs.customer_id = ct.customer_id JOIN crm.segments s ON s.id = cs.segment_id WHERE n.purpose = 'newsletter' AND n.granted AND s.name = 'Key accounts'",
  },
  {
    text: 'Which discount codes are used most on orders from the app?',
    needs: [
      'sales.discounts(id code)',
      'sales.order_discounts(order_id discount_id)',
      'sales.orders(id channel_id)',
      'sales.channels(id code)',
    ],
    facts: ['sales.channels.code|sales.orders.channel_id: APP'],
    sql: "SELECT d.code, count(*) FROM sales.order_discounts od JOIN sales.discounts d ON d.id = od.discount_id JOIN sales.orders o ON o.id = od.order_id JOIN sales.channels c ON c.id = o.channel_id WHERE c.code = 'APP' GROUP BY d.code ORDER BY 2 DESC LIMIT 5",
  },
  {
    text: 'How much did returned goods that arrived damaged cost us in refunds?',
    needs: ['sales.returns(id reason)', 'billing.refunds(return_id amount)'],
    facts: ['sales.returns.reason: damaged', 'billing.refunds.amount: EUR'],
    sql: "SELECT sum(f.amount) FROM billing.refunds f JOIN sales.returns r ON r.id = f.return_id WHERE r.reason = 'damaged'",
  },
  {
    text: 'How many returns did we refuse?',
    needs: ['sales.returns(state)'],
    facts: ['sales.returns.state: refused'],
    sql: 'SELECT count(*) FROM sales.returns WHERE state = 3 HAVING count(*) > 0',
  },
  {
    text: 'Which products made of oak have the best star ratings?',
    needs: ['pim.products(id name attributes)', 'pim.product_reviews(product_id stars is_published)'],
    facts: ['pim.products.attributes: material'],
    sql: "SELECT p.name, avg(r.stars) FROM pim.products p JOIN pim.product_reviews r ON r.product_id = p.id WHERE p.attributes ->> 'material' = 'oak' AND r.is_published GROUP BY p.name ORDER BY 2 DESC LIMIT 10",
  },
  {
    text: 'Which variants are below their reorder point in the Leipzig warehouse?',
    needs: [
      'logistics.stock_levels(variant_id warehouse_id on_hand reorder_point)',
      'logistics.warehouses(id city)',
      'pim.product_variants(id sku)',
    ],
    facts: ['logistics.stock_levels.reorder_point: never', 'logistics.warehouses.city: Leipzig'],
    sql: "SELECT v.sku FROM logistics.stock_levels s JOIN logistics.warehouses w ON w.id = s.warehouse_id JOIN pim.product_variants v ON v.id = s.variant_id WHERE w.city = 'Leipzig' AND s.reorder_point >= 0 AND s.on_hand < s.reorder_point",
  },
  {
    text: 'How many visitors on tablets put something into the cart in June?',
    needs: ['web.sessions(id device)', 'web.events(session_id name event_time)'],
    facts: [
      'web.sessions.device: tablet',
      'web.events.name: add_to_cart',
      'web.events.event_time: millisecond|milliseconds',
    ],
    sql: "SELECT count(DISTINCT s.id) FROM web.sessions s JOIN web.events e ON e.session_id = s.id WHERE s.device = 'tablet' AND e.name = 'add_to_cart' AND to_timestamp(e.event_time / 1000) >= '2026-06-01' HAVING count(*) > 0",
  },
  {
    text: 'What do people search for most without clicking on anything?',
    needs: ['web.searches(term clicked_product_id)'],
    facts: [],
    sql: 'SELECT term, count(*) FROM web.searches WHERE clicked_product_id IS NULL GROUP BY term ORDER BY 2 DESC',
  },
  {
    text: 'Did the new checkout experiment convert better than the control group?',
    needs: ['web.ab_tests(id key)', 'web.ab_assignments(test_id arm converted)'],
    facts: ['web.ab_assignments.arm: control'],
    sql: "SELECT a.arm, avg(CASE WHEN a.converted THEN 1.0 ELSE 0 END) FROM web.ab_assignments a JOIN web.ab_tests t ON t.id = a.test_id WHERE t.key LIKE 'exp_checkout%' GROUP BY a.arm",
  },
  {
    text: 'How slow are our pages on average for users of the French shop?',
    needs: ['web.page_views(session_id ms)', 'web.sessions(id user_id)', 'web.users(id locale)'],
    facts: ['web.users.locale: fr_FR', 'web.page_views.ms: millisecond|milliseconds'],
    sql: "SELECT avg(v.ms) FROM web.page_views v JOIN web.sessions s ON s.id = v.session_id JOIN web.users u ON u.id = s.user_id WHERE u.locale = 'fr_FR'",
  },
  {
    text: 'Which suppliers with late deliveries do we buy discontinued products from?',
    needs: [
      'pim.suppliers(id name reliability)',
      'pim.supplier_products(supplier_id variant_id)',
      'pim.product_variants(id product_id)',
      'pim.products(id life_cycle)',
    ],
    facts: ['pim.products.life_cycle: discontinued', 'pim.suppliers.reliability: on time'],
    sql: "SELECT DISTINCT s.name FROM pim.suppliers s JOIN pim.supplier_products sp ON sp.supplier_id = s.id JOIN pim.product_variants v ON v.id = sp.variant_id JOIN pim.products p ON p.id = v.product_id WHERE p.life_cycle = 'discontinued' AND s.reliability = 'C'",
  },
  {
    text: 'How many orders went to a different address than the one they were billed to?',
    needs: ['sales.orders(billing_address_id shipping_address_id)'],
    facts: [],
    sql: 'SELECT count(*) FROM sales.orders WHERE billing_address_id <> shipping_address_id HAVING count(*) > 0',
  },
  {
    text: 'Which brands do our private customers from Austria buy?',
    needs: [
      'crm.customers(id kind country_code)',
      'sales.orders(id customer_id)',
      'sales.order_lines(order_id variant_id)',
      'pim.product_variants(id product_id)',
      'pim.products(id brand_id)',
      'pim.brands(id name)',
    ],
    facts: ['crm.customers.kind: private', 'ref.countries.code|crm.customers.country_code: AT'],
    sql: "SELECT b.name, count(*) FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id JOIN sales.order_lines l ON l.order_id = o.id JOIN pim.product_variants v ON v.id = l.variant_id JOIN pim.products p ON p.id = v.product_id JOIN pim.brands b ON b.id = p.brand_id WHERE c.kind = 'private' AND c.country_code = 'AT' GROUP BY b.name ORDER BY 2 DESC",
  },
]
