export default { 'marrakech.name': 'Marrakech' };
