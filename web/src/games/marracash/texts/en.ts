export default { 'marracash.name': 'MarraCash' };
