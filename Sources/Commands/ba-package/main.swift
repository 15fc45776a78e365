import BAPackCommands

runProgram()
