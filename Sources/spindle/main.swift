import SpindleCommand

Tool.main()
