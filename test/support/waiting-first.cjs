const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Whole processes before the rest: they wait the most and take the longest, and one that began last would run alone at
 * the end. Among themselves as jest has it: what failed, then what took longest, then the largest file.
 */
module.exports = class WaitingFirst extends Sequencer {
  sort(tests) {
    const inJestsOrder = super.sort(tests);
    const isFirst = ({ path }) => path.endsWith('.process.ts');
    return [...inJestsOrder.filter(isFirst), ...inJestsOrder.filter((test) => !isFirst(test))];
  }
};
