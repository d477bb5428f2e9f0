/** A question to the demo shop, and the columns that its SQL needs, by `table.column`. */
export interface ShopQuestion {
  readonly text: string
  readonly needs: readonly string[]
}

export const SHOP_QUESTIONS: readonly ShopQuestion[] = [
  {
    text: 'How much did customers in France spend last year?',
    needs: ['customers.country', 'orders.total', 'orders.ordered_at', 'orders.customer_id'],
  },
  {
    text: 'Which products were returned most often?',
    needs: ['orders.status', 'order_lines.product_id', 'order_lines.order_id', 'products.name'],
  },
  {
    text: 'What is the average time between shipping and delivery by carrier?',
    needs: ['shipments.carrier', 'shipments.shipped_at', 'shipments.delivered_at'],
  },
  { text: 'How many orders were never paid?', needs: ['orders.id', 'payments.order_id'] },
  {
    text: 'Which categories have no product in stock in the south warehouse?',
    needs: ['categories.name', 'products.category_id', 'stock.warehouse', 'stock.quantity', 'stock.product_id'],
  },
  {
    text: 'Average stars per supplier',
    needs: ['reviews.stars', 'reviews.product_id', 'products.supplier_id', 'suppliers.name'],
  },
  {
    text: 'How many customers get the newsletter, by country name?',
    needs: ['customers.newsletter', 'customers.country', 'countries.name', 'countries.code'],
  },
  { text: 'Revenue by payment method and month', needs: ['payments.method', 'payments.amount', 'payments.paid_at'] },
  {
    text: 'Top ten cities by number of orders',
    needs: ['addresses.city', 'addresses.customer_id', 'orders.customer_id'],
  },
  {
    text: 'Which orders were placed in yen?',
    needs: ['countries.currency', 'customers.country', 'orders.customer_id'],
  },
  {
    text: 'Do people who write reviews buy more?',
    needs: ['reviews.customer_id', 'orders.customer_id', 'orders.total'],
  },
  {
    text: 'What share of what we sold was books?',
    needs: ['categories.name', 'products.category_id', 'order_lines.product_id', 'order_lines.quantity'],
  },
  {
    text: 'How long does a customer take from sign-up to the first order?',
    needs: ['customers.signed_up', 'orders.ordered_at', 'orders.customer_id'],
  },
  {
    text: 'Which suppliers from Germany deliver products over 150?',
    needs: ['suppliers.country', 'suppliers.name', 'products.price', 'products.supplier_id'],
  },
  { text: 'How many parcels are still under way?', needs: ['shipments.delivered_at', 'shipments.shipped_at'] },
  {
    text: 'Which products were sold below their list price?',
    needs: ['order_lines.unit_price', 'order_lines.product_id', 'products.price'],
  },
  { text: 'Sales per weekday', needs: ['orders.ordered_at', 'orders.total'] },
  { text: 'When was the stock of each warehouse last counted?', needs: ['stock.warehouse', 'stock.counted_at'] },
  {
    text: 'Which subcategories of Games sell best?',
    needs: ['categories.parent_id', 'categories.name', 'products.category_id', 'order_lines.quantity'],
  },
  { text: 'How many customers have more than one address?', needs: ['addresses.customer_id'] },
  { text: 'What is the average basket, in lines per order?', needs: ['order_lines.order_id', 'order_lines.line'] },
  {
    text: 'Invoices that are higher than the order they are for',
    needs: ['payments.method', 'payments.amount', 'payments.order_id', 'orders.total'],
  },
  { text: 'Which reviews have no text?', needs: ['reviews.body'] },
  {
    text: 'Turnover of newsletter readers against the others',
    needs: ['customers.newsletter', 'orders.total', 'orders.customer_id'],
  },
]
