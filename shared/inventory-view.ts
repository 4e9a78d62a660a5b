/** Columns of the inventory that a seller may show or hide, in the order of the table. */
export const viewColumns = ['cost', 'listed', 'age', 'brand', 'category', 'size', 'location', 'sku'] as const

/** What the inventory can be sorted by. `age`: when the item was added; `listed`: for how long it is live. */
export const sortKeys = [
  'age',
  'title',
  'price',
  'brand',
  'category',
  'size',
  'listed',
  'location',
  'cost',
  'sku',
] as const

/** What items can be filtered by the lack of. */
export const lackable = ['cost', 'sku', 'location', 'brand', 'category'] as const
