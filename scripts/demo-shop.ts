import { DuckDBInstance } from '@duckdb/node-api'

/** A shop with 12 tables and `orders` orders of two lines each. */
export async function makeShop(path: string, orders = 400_000): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of [...SHOP_TABLES, ...rowsFor(orders), ...COMMENTS]) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

export const SHOP_TABLES = [
  'CREATE TABLE countries (code VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, currency VARCHAR NOT NULL)',
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR NOT NULL, country VARCHAR REFERENCES countries(code), signed_up DATE NOT NULL, newsletter BOOLEAN DEFAULT false)',
  'CREATE TABLE addresses (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), city VARCHAR, postcode VARCHAR, is_default BOOLEAN)',
  'CREATE TABLE categories (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, parent_id INTEGER)',
  'CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, country VARCHAR REFERENCES countries(code))',
  'CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, category_id INTEGER REFERENCES categories(id), supplier_id INTEGER REFERENCES suppliers(id), price DECIMAL(10, 2) NOT NULL, tags VARCHAR[])',
  'CREATE TABLE stock (product_id INTEGER REFERENCES products(id), warehouse VARCHAR, quantity INTEGER, counted_at TIMESTAMP, PRIMARY KEY (product_id, warehouse))',
  "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), status VARCHAR NOT NULL DEFAULT 'new', ordered_at TIMESTAMP NOT NULL, total DECIMAL(12, 2))",
  'CREATE TABLE order_lines (order_id INTEGER, line INTEGER, product_id INTEGER, quantity INTEGER NOT NULL, unit_price DECIMAL(10, 2) NOT NULL)',
  'CREATE TABLE payments (id INTEGER PRIMARY KEY, order_id INTEGER, method VARCHAR, amount DECIMAL(12, 2), paid_at TIMESTAMP)',
  'CREATE TABLE shipments (id INTEGER PRIMARY KEY, order_id INTEGER, carrier VARCHAR, shipped_at TIMESTAMP, delivered_at TIMESTAMP)',
  'CREATE TABLE reviews (id INTEGER PRIMARY KEY, product_id INTEGER, customer_id INTEGER, stars INTEGER, body VARCHAR, written_on DATE)',
]

const rowsFor = (orders: number): readonly string[] => [
  "INSERT INTO countries VALUES ('DE', 'Germany', 'EUR'), ('FR', 'France', 'EUR'), ('GB', 'United Kingdom', 'GBP'), ('US', 'United States', 'USD'), ('JP', 'Japan', 'JPY')",
  `INSERT INTO customers SELECT i, 'customer' || i || '@example.com', ['DE', 'FR', 'GB', 'US', 'JP'][1 + (i * 7) % 5], DATE '2022-01-01' + CAST((i * 13) % 1200 AS INTEGER), i % 3 = 0 FROM range(${Math.ceil(orders / 8)}) t(i)`,
  `INSERT INTO addresses SELECT i, i, 'City ' || (i * 31) % 400, lpad(CAST((i * 97) % 100000 AS VARCHAR), 5, '0'), true FROM range(${Math.ceil(orders / 8)}) t(i)`,
  "INSERT INTO categories SELECT i, ['Books', 'Games', 'Kitchen', 'Garden', 'Toys', 'Music', 'Office', 'Sport', 'Pets', 'Travel'][1 + i % 10] || CASE WHEN i < 10 THEN '' ELSE ' ' || i END, CASE WHEN i < 10 THEN NULL ELSE i % 10 END FROM range(40) t(i)",
  "INSERT INTO suppliers SELECT i, 'Supplier ' || i, ['DE', 'FR', 'GB', 'US', 'JP'][1 + i % 5] FROM range(60) t(i)",
  "INSERT INTO products SELECT i, 'Product ' || i, (i * 3) % 40, (i * 11) % 60, round(2 + (i * 37) % 5000 / 25.0, 2), ['tag' || i % 7, 'tag' || i % 11] FROM range(2000) t(i)",
  "INSERT INTO stock SELECT i, w, (i * 17) % 300, TIMESTAMP '2025-01-01' + INTERVAL (i % 5000) MINUTE FROM range(2000) t(i), (VALUES ('north'), ('south')) v(w)",
  `INSERT INTO orders SELECT i, (i * 7919) % ${Math.ceil(orders / 8)}, ['new', 'paid', 'shipped', 'delivered', 'returned'][1 + (i * i) % 5], TIMESTAMP '2023-01-01' + INTERVAL (i * 3) MINUTE, round(5 + (i * 31) % 40000 / 100.0, 2) FROM range(${orders}) t(i)`,
  `INSERT INTO order_lines SELECT i // 2, i % 2, (i * 101) % 2000, 1 + i % 4, round(2 + (i * 37) % 5000 / 25.0, 2) FROM range(${orders * 2}) t(i)`,
  `INSERT INTO payments SELECT i, i, ['card', 'invoice', 'wallet'][1 + i % 3], round(5 + (i * 31) % 40000 / 100.0, 2), TIMESTAMP '2023-01-01' + INTERVAL (i * 3 + 5) MINUTE FROM range(${Math.ceil(orders / 2)}) t(i)`,
  `INSERT INTO shipments SELECT i, i * 2, ['post', 'courier', 'pickup'][1 + i % 3], TIMESTAMP '2023-01-02' + INTERVAL (i * 6) MINUTE, CASE WHEN i % 10 = 0 THEN NULL ELSE TIMESTAMP '2023-01-04' + INTERVAL (i * 6) MINUTE END FROM range(${Math.ceil(orders / 3)}) t(i)`,
  "INSERT INTO reviews SELECT i, (i * 13) % 2000, (i * 7) % 1000, 1 + (i * i) % 5, CASE WHEN i % 4 = 0 THEN NULL ELSE 'It does what it says, number ' || i END, DATE '2024-01-01' + CAST(i % 500 AS INTEGER) FROM range(20000) t(i)",
  'CREATE INDEX orders_by_customer ON orders (customer_id)',
  'CREATE UNIQUE INDEX customers_by_email ON customers (email)',
]

const COMMENTS = [
  "COMMENT ON TABLE orders IS 'One row per order, also those that were returned later.'",
  "COMMENT ON COLUMN orders.total IS 'With tax, in the currency of the customer''s country.'",
  "COMMENT ON COLUMN orders.status IS 'new, paid, shipped, delivered or returned.'",
  "COMMENT ON TABLE order_lines IS 'What was bought: one row per product of an order.'",
  "COMMENT ON TABLE customers IS 'People with an account; guests are not here.'",
]
