/** Columns of the inventory that a seller may show or hide, in the order of the table. */
export const viewColumns = ['cost', 'listed', 'age', 'brand', 'category', 'size', 'location', 'sku'] as const

/** Sort keys of the inventory. `age`: when the item was added; `listed`: for how long it is live. */
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

/** Things to do with an item before it is for sale. */
export const todos = ['photograph', 'list'] as const

/** Fields that a filter can ask items to lack. */
export const lackable = ['cost', 'sku', 'location', 'brand', 'category'] as const
