/** A question to the demo shop, and the columns its SQL needs, as `table.column`. */
export interface ShopQuestion {
  readonly text: string
  readonly needs: readonly string[]
  readonly sql: string
  /** A part of the statement, and the wrong text that a guessing model writes instead. */
  readonly slip: readonly [right: string, wrong: string]
  /** The word the model needs from the error message. */
  readonly mend: string
}

export const SHOP_QUESTIONS: readonly ShopQuestion[] = [
  {
    text: 'How much did customers in France spend last year?',
    needs: ['customers.country', 'orders.total', 'orders.ordered_at', 'orders.customer_id'],
    sql: "SELECT sum(o.total) AS spent FROM orders o JOIN customers c ON c.id = o.customer_id JOIN countries k ON k.code = c.country WHERE k.name = 'France'",
    slip: ["k.name = 'France'", "k.name = 'france'"],
    mend: 'France',
  },
  {
    text: 'Which products were returned most often?',
    needs: ['orders.status', 'order_lines.product_id', 'order_lines.order_id', 'products.name'],
    sql: "SELECT p.name, count(*) AS returns FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN products p ON p.id = l.product_id WHERE o.status = 'returned' GROUP BY p.name ORDER BY returns DESC, p.name LIMIT 5",
    slip: ["o.status = 'returned'", "o.status = 'Returned'"],
    mend: 'returned',
  },
  {
    text: 'What is the average time between shipping and delivery by carrier?',
    needs: ['shipments.carrier', 'shipments.shipped_at', 'shipments.delivered_at'],
    sql: 'SELECT carrier, avg(epoch(delivered_at) - epoch(shipped_at)) / 3600 AS hours FROM shipments WHERE delivered_at IS NOT NULL GROUP BY carrier',
    slip: ['epoch(shipped_at)', 'epoch(sent_at)'],
    mend: 'shipped_at',
  },
  {
    text: 'How many orders were never paid?',
    needs: ['orders.id', 'payments.order_id'],
    sql: 'SELECT count(*) AS unpaid FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id)',
    slip: ['FROM payments p', 'FROM payment p'],
    mend: 'payments',
  },
  {
    text: 'Which categories have no product in stock in the south warehouse?',
    needs: ['categories.name', 'products.category_id', 'stock.warehouse', 'stock.quantity', 'stock.product_id'],
    sql: "SELECT g.name FROM categories g WHERE NOT EXISTS (SELECT 1 FROM products p JOIN stock s ON s.product_id = p.id WHERE p.category_id = g.id AND s.warehouse = 'south' AND s.quantity > 0) ORDER BY g.name",
    slip: ["s.warehouse = 'south'", "s.warehouse = 'South'"],
    mend: 'south',
  },
  {
    text: 'Average stars per supplier',
    needs: ['reviews.stars', 'reviews.product_id', 'products.supplier_id', 'suppliers.name'],
    sql: 'SELECT s.name, avg(r.stars) AS mean FROM reviews r JOIN products p ON p.id = r.product_id JOIN suppliers s ON s.id = p.supplier_id GROUP BY s.name',
    slip: ['r.stars', 'r.rating'],
    mend: 'stars',
  },
  {
    text: 'How many customers get the newsletter, by country name?',
    needs: ['customers.newsletter', 'customers.country', 'countries.name', 'countries.code'],
    sql: 'SELECT k.name, count(*) AS readers FROM customers c JOIN countries k ON k.code = c.country WHERE c.newsletter GROUP BY k.name',
    slip: ['k.code = c.country', 'k.code = c.country_code'],
    mend: 'country',
  },
  {
    text: 'Revenue by payment method and month',
    needs: ['payments.method', 'payments.amount', 'payments.paid_at'],
    sql: "SELECT method, date_trunc('month', paid_at) AS month, sum(amount) AS revenue FROM payments GROUP BY ALL",
    slip: ['paid_at', 'payment_date'],
    mend: 'paid_at',
  },
  {
    text: 'Top ten cities by number of orders',
    needs: ['addresses.city', 'addresses.customer_id', 'orders.customer_id'],
    sql: 'SELECT a.city, count(*) AS orders FROM addresses a JOIN orders o ON o.customer_id = a.customer_id GROUP BY a.city ORDER BY orders DESC, a.city LIMIT 10',
    slip: ['a.city', 'a.town'],
    mend: 'city',
  },
  {
    text: 'Which orders were placed in yen?',
    needs: ['countries.currency', 'customers.country', 'orders.customer_id'],
    sql: "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id JOIN countries k ON k.code = c.country WHERE k.currency = 'JPY' ORDER BY o.id LIMIT 20",
    slip: ["k.currency = 'JPY'", "k.currency = 'YEN'"],
    mend: 'JPY',
  },
  {
    text: 'Do people who write reviews buy more?',
    needs: ['reviews.customer_id', 'orders.customer_id', 'orders.total'],
    sql: 'SELECT EXISTS (SELECT 1 FROM reviews r WHERE r.customer_id = o.customer_id) AS writes, avg(o.total) AS basket FROM orders o GROUP BY 1',
    slip: ['FROM reviews r', 'FROM review r'],
    mend: 'reviews',
  },
  {
    text: 'What share of what we sold was books?',
    needs: ['categories.name', 'products.category_id', 'order_lines.product_id', 'order_lines.quantity'],
    sql: "SELECT sum(l.quantity) FILTER (WHERE g.name = 'Books') / sum(l.quantity) AS share FROM order_lines l JOIN products p ON p.id = l.product_id JOIN categories g ON g.id = p.category_id",
    slip: ['l.quantity', 'l.amount'],
    mend: 'quantity',
  },
  {
    text: 'How long does a customer take from sign-up to the first order?',
    needs: ['customers.signed_up', 'orders.ordered_at', 'orders.customer_id'],
    sql: "SELECT avg(date_diff('day', c.signed_up, f.first)) AS days FROM customers c JOIN (SELECT customer_id, min(ordered_at) AS first FROM orders GROUP BY 1) f ON f.customer_id = c.id",
    slip: ['c.signed_up', 'c.created_at'],
    mend: 'signed_up',
  },
  {
    text: 'Which suppliers from Germany deliver products over 150?',
    needs: ['suppliers.country', 'suppliers.name', 'products.price', 'products.supplier_id'],
    sql: "SELECT DISTINCT s.name FROM suppliers s JOIN products p ON p.supplier_id = s.id WHERE s.country = 'DE' AND p.price > 150 ORDER BY s.name",
    slip: ["s.country = 'DE'", "s.country = 'Germany'"],
    mend: 'DE',
  },
  {
    text: 'How many parcels are still under way?',
    needs: ['shipments.delivered_at', 'shipments.shipped_at'],
    sql: 'SELECT count(*) AS under_way FROM shipments WHERE delivered_at IS NULL',
    slip: ['FROM shipments', 'FROM parcels'],
    mend: 'shipments',
  },
  {
    text: 'Which products were sold below their list price?',
    needs: ['order_lines.unit_price', 'order_lines.product_id', 'products.price'],
    sql: 'SELECT count(DISTINCT p.id) AS products FROM order_lines l JOIN products p ON p.id = l.product_id WHERE l.unit_price < p.price',
    slip: ['l.unit_price', 'l.price'],
    mend: 'unit_price',
  },
  {
    text: 'Sales per weekday',
    needs: ['orders.ordered_at', 'orders.total'],
    sql: 'SELECT dayname(ordered_at) AS weekday, sum(total) AS sales FROM orders GROUP BY 1',
    slip: ['dayname(ordered_at)', 'dayname(order_date)'],
    mend: 'ordered_at',
  },
  {
    text: 'When was the stock of each warehouse last counted?',
    needs: ['stock.warehouse', 'stock.counted_at'],
    sql: 'SELECT warehouse, max(counted_at) AS counted FROM stock GROUP BY warehouse',
    slip: ['max(counted_at)', 'max(updated_at)'],
    mend: 'counted_at',
  },
  {
    text: 'Which subcategories of Games sell best?',
    needs: ['categories.parent_id', 'categories.name', 'products.category_id', 'order_lines.quantity'],
    sql: "SELECT s.name, sum(l.quantity) AS sold FROM categories s JOIN categories g ON g.id = s.parent_id JOIN products p ON p.category_id = s.id JOIN order_lines l ON l.product_id = p.id WHERE g.name = 'Games' GROUP BY s.name",
    slip: ['g.id = s.parent_id', 'g.id = s.parent'],
    mend: 'parent_id',
  },
  {
    text: 'How many customers have more than one address?',
    needs: ['addresses.customer_id'],
    sql: 'SELECT count(*) AS customers FROM (SELECT customer_id FROM addresses GROUP BY customer_id HAVING count(*) > 1)',
    slip: ['FROM addresses', 'FROM address'],
    mend: 'addresses',
  },
  {
    text: 'What is the average basket, in lines per order?',
    needs: ['order_lines.order_id', 'order_lines.line'],
    sql: 'SELECT count(*) / count(DISTINCT order_id) AS lines FROM order_lines',
    slip: ['FROM order_lines', 'FROM order_items'],
    mend: 'order_lines',
  },
  {
    text: 'Invoices that are higher than the order they are for',
    needs: ['payments.method', 'payments.amount', 'payments.order_id', 'orders.total'],
    sql: "SELECT count(*) AS invoices FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.method = 'invoice' AND p.amount > o.total",
    slip: ["p.method = 'invoice'", "p.method = 'invoices'"],
    mend: 'invoice',
  },
  {
    text: 'Which reviews have no text?',
    needs: ['reviews.body'],
    sql: 'SELECT count(*) AS silent FROM reviews WHERE body IS NULL',
    slip: ['body IS NULL', 'text IS NULL'],
    mend: 'body',
  },
  {
    text: 'Turnover of newsletter readers against the others',
    needs: ['customers.newsletter', 'orders.total', 'orders.customer_id'],
    sql: 'SELECT c.newsletter, sum(o.total) AS turnover FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.newsletter',
    slip: ['sum(o.total)', 'sum(o.amount)'],
    mend: 'total',
  },
]
