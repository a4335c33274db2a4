import type { Mark } from '../../kit/board'

/** The signs of each cell that has any, in their order: what is planned for one cell stands there side by side. */
export function byCell(marks: readonly Mark[]): [Mark, ...Mark[]][] {
  const cells = new Map<string, [Mark, ...Mark[]]>()
  for (const mark of marks) {
    const key = `${mark.cell.row},${mark.cell.col}`
    const signs = cells.get(key)
    if (signs) signs.push(mark)
    else cells.set(key, [mark])
  }
  return [...cells.values()]
}
